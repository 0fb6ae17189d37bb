/** DRPC over HTTP, beside the DRPC server over Thrift. */
package io.eyewall.web.drpc;
