package io.eyewall.transport.fabric.binding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StructLayoutTest {

    /** The C expression of each constant of {@link StructLayout}. */
    private static final Map<String, String> IN_C = new LinkedHashMap<>();

    static {
        offset("fid", "ops", "FID_OPS");
        offset("fi_ops", "close", "OPS_CLOSE", "bind", "OPS_BIND", "control", "OPS_CONTROL");
        offset("fid_domain", "mr", "DOMAIN_MR");
        offset("fid_ep", "ops", "ENDPOINT_OPS", "cm", "ENDPOINT_CM", "msg", "ENDPOINT_MSG", "tagged", "ENDPOINT_TAGGED");
        offset("fid_pep", "cm", "PASSIVE_CM");
        offset("fid_mr", "mem_desc", "MR_DESCRIPTOR");
        offset("fi_ops_fabric", "domain", "FABRIC_DOMAIN", "passive_ep", "FABRIC_PASSIVE", "eq_open", "FABRIC_EQ_OPEN", "trywait",
            "FABRIC_TRYWAIT");
        offset("fi_ops_domain", "av_open", "DOMAIN_AV_OPEN", "cq_open", "DOMAIN_CQ_OPEN", "endpoint", "DOMAIN_ENDPOINT");
        offset("fi_ops_mr", "reg", "MR_REG");
        offset("fi_ops_ep", "cancel", "ENDPOINT_CANCEL");
        offset("fi_ops_cm", "getname", "CM_GETNAME", "connect", "CM_CONNECT", "listen", "CM_LISTEN", "accept", "CM_ACCEPT", "reject",
            "CM_REJECT", "shutdown", "CM_SHUTDOWN");
        offset("fi_ops_cq", "read", "CQ_READ", "readerr", "CQ_READERR", "sread", "CQ_SREAD", "signal", "CQ_SIGNAL");
        offset("fi_ops_eq", "read", "EQ_READ", "readerr", "EQ_READERR");
        offset("fi_ops_av", "insert", "AV_INSERT", "remove", "AV_REMOVE");
        offset("fi_info", "next", "INFO_NEXT", "caps", "INFO_CAPS", "mode", "INFO_MODE", "addr_format", "INFO_ADDR_FORMAT", "src_addrlen",
            "INFO_SRC_ADDRLEN", "src_addr", "INFO_SRC_ADDR", "dest_addrlen", "INFO_DEST_ADDRLEN", "dest_addr", "INFO_DEST_ADDR", "handle",
            "INFO_HANDLE", "tx_attr", "INFO_TX", "rx_attr", "INFO_RX", "ep_attr", "INFO_EP", "domain_attr", "INFO_DOMAIN", "fabric_attr",
            "INFO_FABRIC");
        offset("fi_domain_attr", "name", "DOMAIN_ATTR_NAME", "threading", "DOMAIN_ATTR_THREADING", "mr_mode", "DOMAIN_ATTR_MR_MODE");
        offset("fi_fabric_attr", "name", "FABRIC_ATTR_NAME", "prov_name", "FABRIC_ATTR_PROV_NAME");
        offset("fi_tx_attr", "size", "TX_ATTR_SIZE");
        offset("fi_rx_attr", "size", "RX_ATTR_SIZE");
        offset("fi_ep_attr", "type", "EP_ATTR_TYPE");
        offset("fi_cq_attr", "size", "CQ_ATTR_SIZE", "format", "CQ_ATTR_FORMAT", "wait_obj", "CQ_ATTR_WAIT_OBJ");
        offset("fi_eq_attr", "wait_obj", "EQ_ATTR_WAIT_OBJ");
        offset("fi_av_attr", "type", "AV_ATTR_TYPE");
        offset("fi_cq_msg_entry", "op_context", "CQ_ENTRY_CONTEXT", "len", "CQ_ENTRY_LEN");
        offset("fi_cq_err_entry", "op_context", "CQ_ERROR_CONTEXT", "err", "CQ_ERROR_ERR");
        offset("fi_eq_cm_entry", "fid", "EQ_CM_FID", "info", "EQ_CM_INFO");
        offset("fi_eq_err_entry", "fid", "EQ_ERROR_FID", "err", "EQ_ERROR_ERR");
        values("CQ_ATTR_BYTES", "sizeof(struct fi_cq_attr)", "EQ_ATTR_BYTES", "sizeof(struct fi_eq_attr)", "AV_ATTR_BYTES",
            "sizeof(struct fi_av_attr)", "CQ_ENTRY_BYTES", "sizeof(struct fi_cq_msg_entry)", "CONTEXT_BYTES", "sizeof(struct fi_context2)",
            "CAP_MSG", "FI_MSG", "CAP_TAGGED", "FI_TAGGED", "FLAG_RECV", "FI_RECV", "FLAG_SEND", "FI_SEND", "FLAG_SOURCE", "FI_SOURCE",
            "FLAG_NUMERICHOST", "FI_NUMERICHOST", "MODE_CONTEXT", "FI_CONTEXT", "MODE_CONTEXT2", "FI_CONTEXT2", "MR_LOCAL", "FI_MR_LOCAL",
            "MR_VIRT_ADDR", "FI_MR_VIRT_ADDR", "MR_ALLOCATED", "FI_MR_ALLOCATED", "MR_PROV_KEY", "FI_MR_PROV_KEY", "MR_ENDPOINT",
            "FI_MR_ENDPOINT", "THREAD_SAFE", "FI_THREAD_SAFE", "AV_MAP", "FI_AV_MAP", "WAIT_NONE", "FI_WAIT_NONE", "WAIT_UNSPEC",
            "FI_WAIT_UNSPEC", "WAIT_FD", "FI_WAIT_FD", "CQ_FORMAT_MSG", "FI_CQ_FORMAT_MSG", "CONTROL_GETWAIT", "FI_GETWAIT",
            "CONTROL_ENABLE", "FI_ENABLE", "EVENT_CONNREQ", "FI_CONNREQ", "EVENT_CONNECTED", "FI_CONNECTED", "EVENT_SHUTDOWN",
            "FI_SHUTDOWN", "EAGAIN", "FI_EAGAIN", "EAVAIL", "FI_EAVAIL", "API_VERSION", "FI_VERSION(1, 9)");
        // Each of these constants stands for several offsets, which ALIKE compares.
        values("OBJECT_OPS", "offsetof(struct fid_fabric, ops)", "TRANSFER_RECV", "offsetof(struct fi_ops_msg, recv)", "TRANSFER_SEND",
            "offsetof(struct fi_ops_msg, send)");
    }

    private static final List<String> ALIKE = List.of(
        "offsetof(struct fid_domain, ops) == offsetof(struct fid_fabric, ops)", "offsetof(struct fid_cq, ops) == 24",
        "offsetof(struct fid_eq, ops) == 24", "offsetof(struct fid_av, ops) == 24",
        "offsetof(struct fi_ops_tagged, recv) == offsetof(struct fi_ops_msg, recv)",
        "offsetof(struct fi_ops_tagged, send) == offsetof(struct fi_ops_msg, send)", "sizeof(struct fi_cq_err_entry) <= 128");

    @TempDir
    Path folder;

    @Test
    void shouldAgreeWithTheInstalledHeaders() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/include/rdma/fabric.h")), "the headers of libfabric are not installed (libfabric-dev)");
        List<String> printed = compileAndRun();
        List<String> expected = new ArrayList<>();
        for (String name : IN_C.keySet()) {
            Field field = StructLayout.class.getDeclaredField(name);
            expected.add(name + " " + ((Number) field.get(null)).longValue());
        }
        ALIKE.forEach(claim -> expected.add(claim + " 1"));
        assertEquals(String.join("\n", expected), String.join("\n", printed));
    }

    @Test
    void shouldCompareEveryConstant() {
        TreeSet<String> declared = new TreeSet<>();
        for (Field field : StructLayout.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                declared.add(field.getName());
            }
        }
        declared.remove("CQ_ERROR_BYTES");
        assertEquals(declared, new TreeSet<>(IN_C.keySet()));
    }

    private List<String> compileAndRun() throws IOException, InterruptedException {
        StringBuilder program = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
        for (String header : List.of("fabric", "fi_domain", "fi_endpoint", "fi_cm", "fi_eq", "fi_tagged", "fi_errno")) {
            program.append("#include <rdma/").append(header).append(".h>\n");
        }
        program.append("int main(void) {\n");
        IN_C.forEach((name, value) -> program.append(String.format("printf(\"%s %%lld\\n\", (long long) (%s));%n", name, value)));
        ALIKE.forEach(claim -> program.append(String.format("printf(\"%s %%d\\n\", %s);%n", claim, claim)));
        program.append("return 0;\n}\n");
        Path source = Files.writeString(folder.resolve("layout.c"), program);
        Process compiler = compiler(source);
        String errors = new String(compiler.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, compiler.waitFor(), errors);
        Process run = new ProcessBuilder(folder.resolve("layout").toString()).redirectErrorStream(true).start();
        String output = new String(run.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, run.waitFor(), output);
        List<String> lines = output.lines().toList();
        assertTrue(lines.size() > 80, output);
        return lines;
    }

    private Process compiler(Path source) {
        try {
            return new ProcessBuilder("gcc", "-o", folder.resolve("layout").toString(), source.toString())
                .redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler to compile the headers: " + e.getMessage());
            throw new IllegalStateException(e);
        }
    }

    private static void offset(String struct, String... fieldsAndNames) {
        for (int i = 0; i < fieldsAndNames.length; i += 2) {
            IN_C.put(fieldsAndNames[i + 1], "offsetof(struct " + struct + ", " + fieldsAndNames[i] + ")");
        }
    }

    private static void values(String... namesAndValues) {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            IN_C.put(namesAndValues[i], namesAndValues[i + 1]);
        }
    }
}
