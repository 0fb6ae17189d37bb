package io.eyewall.transport.fabric.binding;

/**
 * The offsets in bytes of the fields of libfabric's structures that this binding uses, and the library's constants, on 64-bit systems. They
 * are the same in the headers of versions 1.5 to 2.6, whose structures grow at their ends only. {@code StructLayoutTest} compares them with
 * the installed headers.
 */
final class StructLayout {

    /** The version of the interface that this binding asks for: 1.9, with the major number in the upper half. */
    static final int API_VERSION = 1 << 16 | 9;

    static final int FID_OPS = 16;
    static final int OPS_CLOSE = 8;
    static final int OPS_BIND = 16;
    static final int OPS_CONTROL = 24;

    /** The first table of operations in fid_fabric, fid_domain, fid_cq, fid_eq and fid_av. */
    static final int OBJECT_OPS = 24;
    static final int DOMAIN_MR = 32;
    static final int ENDPOINT_OPS = 24;
    static final int ENDPOINT_CM = 32;
    static final int ENDPOINT_MSG = 40;
    static final int ENDPOINT_TAGGED = 56;
    static final int PASSIVE_CM = 32;
    static final int MR_DESCRIPTOR = 24;

    static final int FABRIC_DOMAIN = 8;
    static final int FABRIC_PASSIVE = 16;
    static final int FABRIC_EQ_OPEN = 24;
    static final int FABRIC_TRYWAIT = 40;
    static final int DOMAIN_AV_OPEN = 8;
    static final int DOMAIN_CQ_OPEN = 16;
    static final int DOMAIN_ENDPOINT = 24;
    static final int MR_REG = 8;
    static final int ENDPOINT_CANCEL = 8;
    static final int CM_GETNAME = 16;
    static final int CM_CONNECT = 32;
    static final int CM_LISTEN = 40;
    static final int CM_ACCEPT = 48;
    static final int CM_REJECT = 56;
    static final int CM_SHUTDOWN = 64;
    static final int TRANSFER_RECV = 8;
    static final int TRANSFER_SEND = 32;
    static final int CQ_READ = 8;
    static final int CQ_READERR = 24;
    static final int CQ_SREAD = 32;
    static final int CQ_SIGNAL = 48;
    static final int EQ_READ = 8;
    static final int EQ_READERR = 16;
    static final int AV_INSERT = 8;
    static final int AV_REMOVE = 32;

    static final int INFO_NEXT = 0;
    static final int INFO_CAPS = 8;
    static final int INFO_MODE = 16;
    static final int INFO_ADDR_FORMAT = 24;
    static final int INFO_SRC_ADDRLEN = 32;
    static final int INFO_SRC_ADDR = 48;
    static final int INFO_DEST_ADDRLEN = 40;
    static final int INFO_DEST_ADDR = 56;
    static final int INFO_HANDLE = 64;
    static final int INFO_TX = 72;
    static final int INFO_RX = 80;
    static final int INFO_EP = 88;
    static final int INFO_DOMAIN = 96;
    static final int INFO_FABRIC = 104;
    static final int DOMAIN_ATTR_NAME = 8;
    static final int DOMAIN_ATTR_THREADING = 16;
    static final int DOMAIN_ATTR_MR_MODE = 36;
    static final int FABRIC_ATTR_NAME = 8;
    static final int FABRIC_ATTR_PROV_NAME = 16;
    static final int TX_ATTR_SIZE = 48;
    static final int RX_ATTR_SIZE = 48;
    static final int EP_ATTR_TYPE = 0;

    static final int CQ_ATTR_BYTES = 40;
    static final int CQ_ATTR_SIZE = 0;
    static final int CQ_ATTR_FORMAT = 16;
    static final int CQ_ATTR_WAIT_OBJ = 20;
    static final int EQ_ATTR_BYTES = 32;
    static final int EQ_ATTR_WAIT_OBJ = 16;
    static final int AV_ATTR_BYTES = 48;
    static final int AV_ATTR_TYPE = 0;

    static final int CQ_ENTRY_BYTES = 24;
    static final int CQ_ENTRY_CONTEXT = 0;
    static final int CQ_ENTRY_LEN = 16;
    /** Larger than the structure of any version, which grew from 80 to 88 bytes. */
    static final int CQ_ERROR_BYTES = 128;
    static final int CQ_ERROR_CONTEXT = 0;
    static final int CQ_ERROR_ERR = 56;
    static final int EQ_CM_FID = 0;
    static final int EQ_CM_INFO = 8;
    static final int EQ_ERROR_FID = 0;
    static final int EQ_ERROR_ERR = 24;

    /** The scratch space of the provider in an operation's context (FI_CONTEXT2). */
    static final int CONTEXT_BYTES = 64;

    static final long CAP_MSG = 1L << 1;
    static final long CAP_TAGGED = 1L << 3;
    static final long FLAG_RECV = 1L << 10;
    static final long FLAG_SEND = 1L << 11;
    static final long FLAG_SOURCE = 1L << 57;
    static final long FLAG_NUMERICHOST = 1L << 55;
    static final long MODE_CONTEXT = 1L << 59;
    static final long MODE_CONTEXT2 = 1L << 52;
    static final int MR_LOCAL = 1 << 2;
    static final int MR_VIRT_ADDR = 1 << 4;
    static final int MR_ALLOCATED = 1 << 5;
    static final int MR_PROV_KEY = 1 << 6;
    static final int MR_ENDPOINT = 1 << 9;
    static final int THREAD_SAFE = 1;
    static final int AV_MAP = 1;
    static final int WAIT_NONE = 0;
    static final int WAIT_UNSPEC = 1;
    static final int WAIT_FD = 3;
    static final int CQ_FORMAT_MSG = 2;
    static final int CONTROL_GETWAIT = 5;
    static final int CONTROL_ENABLE = 6;
    static final int EVENT_CONNREQ = 1;
    static final int EVENT_CONNECTED = 2;
    static final int EVENT_SHUTDOWN = 3;

    static final int EAGAIN = 11;
    static final int EAVAIL = 259;

    private StructLayout() {
    }
}
