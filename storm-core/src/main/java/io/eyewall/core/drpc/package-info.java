/** The DRPC server: upstream has its parts in storm-server, but its daemon in a module that is not published. */
package io.eyewall.core.drpc;
