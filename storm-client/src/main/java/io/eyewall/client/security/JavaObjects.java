package io.eyewall.client.security;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;

/**
 * How a worker reads what Java's serialization has written, where a topology falls back on it: without classes that are known to run a
 * stranger's code when they are read, and without an array for a length that nothing follows. The filter is that of Java's JEP 290. Where
 * the JVM has a filter of its own ({@code -Djdk.serialFilter}), that one counts instead. Safe for any thread.
 */
public final class JavaObjects {

    private static final ObjectInputFilter REFUSED = ObjectInputFilter.Config.createFilter(String.join(";", "maxdepth=1000",
        "!bsh.**", "!com.mchange.v2.c3p0.**", "!com.rometools.rome.feed.impl.**", "!com.sun.jndi.**", "!com.sun.org.apache.xalan.**",
        "!com.sun.org.apache.xpath.**", "!com.sun.rowset.**", "!com.sun.syndication.feed.impl.**", "!com.zaxxer.hikari.**", "!java.rmi.**",
        "!javax.management.**", "!javax.naming.**", "!javax.script.**", "!net.sf.json.**", "!org.apache.click.control.**",
        "!org.apache.commons.beanutils.**", "!org.apache.commons.collections.functors.**",
        "!org.apache.commons.collections4.functors.**", "!org.apache.commons.fileupload.**", "!org.apache.commons.dbcp.**",
        "!org.apache.commons.dbcp2.**", "!org.apache.tomcat.dbcp.**", "!org.apache.wicket.util.upload.**", "!org.apache.xalan.**",
        "!org.aspectj.weaver.**", "!org.codehaus.groovy.runtime.**", "!org.hibernate.**", "!org.jboss.interceptor.**",
        "!org.jboss.weld.**", "!org.mozilla.javascript.**", "!org.python.core.**", "!org.springframework.aop.**",
        "!org.springframework.beans.**", "!org.springframework.core.**", "!sun.rmi.**"));

    private JavaObjects() {
    }

    /** In place of {@code new ObjectInputStream(InputStream)} in {@code SerializableSerializer.read}. */
    public static ObjectInputStream stream(InputStream in) throws IOException {
        ObjectInputStream objects = new ObjectInputStream(in);
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            objects.setObjectInputFilter(REFUSED);
        }
        return objects;
    }

    /**
     * In place of {@code Input.readInt()} in {@code SerializableSerializer.read}, which makes an array of that length.
     *
     * @throws KryoException if the message is shorter
     */
    public static int lengthBytes(Input input) {
        int lengthBytes = input.readInt();
        if (lengthBytes < 0 || (input.getInputStream() == null && lengthBytes > input.limit() - input.position())) {
            throw new KryoException("An object of " + lengthBytes + " bytes is announced in a message that has "
                + (input.limit() - input.position()) + " more.");
        }
        return lengthBytes;
    }
}
