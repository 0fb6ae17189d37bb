"""The Python side of bin/storm.

    main            finds the sub-command, runs it, turns errors into one line
    declaration     what a sub-command is: names, options, arguments
    command_line    takes the arguments apart, writes the help
    session         the installation and the configuration that a sub-command works with
    jvm             builds java command lines, asks Java for configuration values
    administration, daemons, information, submission        upstream's sub-commands
    development     demo, dev-cluster and bench, over build, dev_cluster, demo and processes
"""
