"""Doubles numbers; fails the number 13 the first time it comes."""
import storm


class TagBolt(storm.Bolt):
    def initialize(self, conf, context):
        self.failed = False

    def process(self, tup):
        number = tup.values[0]
        if number == 13 and not self.failed:
            self.failed = True
            storm.fail(tup)
            return
        storm.emit([number, "twice %d" % (2 * number)], anchors=[tup])
        storm.ack(tup)


TagBolt().run()
