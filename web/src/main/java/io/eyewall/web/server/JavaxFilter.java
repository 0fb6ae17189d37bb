package io.eyewall.web.server;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.Arrays;

/**
 * Lets a filter for {@code javax.servlet} say who a user is, such as Hadoop's for Kerberos. What it sees of a request, a response and its
 * configuration are proxies: each call goes to the method of the same name of what Jetty has, and cookies are copied. Of a request that it
 * wraps, the user counts; of a response that it wraps, nothing. Streams of bytes, and what newer interfaces no longer have, it cannot use.
 * Safe for any thread, as far as the filter is.
 */
final class JavaxFilter implements Filter {

    private static final String JAVAX = "javax.servlet.";
    private static final String JAKARTA = "jakarta.servlet.";

    private final Object filter;
    private final ClassLoader loader;

    /**
     * Makes the filter.
     *
     * @throws ReflectiveOperationException if its class lets nobody make one
     */
    JavaxFilter(Class<?> type) throws ReflectiveOperationException {
        filter = type.getConstructor().newInstance();
        loader = type.getClassLoader();
    }

    /** Whether the class is a filter for {@code javax.servlet}. */
    static boolean isOne(Class<?> type) {
        try {
            return Class.forName(JAVAX + "Filter", false, type.getClassLoader()).isAssignableFrom(type);
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        try {
            call("init", new Class<?>[] {javax("FilterConfig")}, proxy(config, javax("FilterConfig")));
        } catch (IOException e) {
            throw new ServletException(e);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
        InvocationHandler next = (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(chain, proxy, method, arguments);
            }
            try {
                chain.doFilter(new RequestOfUser((HttpServletRequest) request, user(arguments[0])), response);
            } catch (ServletException e) {
                throw javaxException(e);
            }
            return null;
        };
        call("doFilter", new Class<?>[] {javax("ServletRequest"), javax("ServletResponse"), javax("FilterChain")},
            proxy(request, javax("http.HttpServletRequest")), proxy(response, javax("http.HttpServletResponse")),
            Proxy.newProxyInstance(loader, new Class<?>[] {javax("FilterChain")}, next));
    }

    @Override
    public void destroy() {
        try {
            call("destroy", new Class<?>[0]);
        } catch (IOException | ServletException e) {
            throw new IllegalStateException(e);
        }
    }

    private void call(String name, Class<?>[] types, Object... arguments) throws IOException, ServletException {
        try {
            javax("Filter").getMethod(name, types).invoke(filter, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException io) {
                throw io;
            }
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause.getCause() instanceof ServletException thrown ? thrown : new ServletException(cause.getMessage(), cause);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private User user(Object request) throws ReflectiveOperationException {
        Class<?> type = javax("http.HttpServletRequest");
        return new User((Principal) type.getMethod("getUserPrincipal").invoke(request),
            (String) type.getMethod("getRemoteUser").invoke(request), (String) type.getMethod("getAuthType").invoke(request));
    }

    private Exception javaxException(ServletException thrown) throws ReflectiveOperationException {
        return (Exception) javax("ServletException").getConstructor(String.class, Throwable.class)
            .newInstance(thrown.getMessage(), thrown);
    }

    private Class<?> javax(String name) {
        try {
            return Class.forName(JAVAX + name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isJavax(Class<?> type) {
        return type.getName().startsWith(JAVAX);
    }

    private static Class<?> jakarta(Class<?> type) {
        try {
            return isJavax(type) ? Class.forName(JAKARTA + type.getName().substring(JAVAX.length())) : type;
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException(type + " is not there any more", e);
        }
    }

    private Object proxy(Object target, Class<?> type) {
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, new Delegate(target, jakarta(type)));
    }

    private static Object ofObject(Object target, Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> target.toString();
        };
    }

    private Object toJavax(Object value, Class<?> type) throws ReflectiveOperationException {
        Class<?> single = type.isArray() ? type.getComponentType() : type;
        if (value == null || !isJavax(single)) {
            return value;
        }
        if (type.isArray()) {
            Object all = Array.newInstance(single, Array.getLength(value));
            for (int i = 0; i < Array.getLength(value); i++) {
                Array.set(all, i, toJavax(Array.get(value, i), single));
            }
            return all;
        }
        if (value instanceof Cookie cookie) {
            return single.getConstructor(String.class, String.class).newInstance(cookie.getName(), cookie.getValue());
        }
        if (!single.isInterface()) {
            throw new UnsupportedOperationException("A filter for javax.servlet cannot have a " + single.getName() + " here.");
        }
        return proxy(value, single);
    }

    private static Object toJakarta(Object value) throws ReflectiveOperationException {
        if (value != null && Proxy.isProxyClass(value.getClass()) && Proxy.getInvocationHandler(value) instanceof Delegate delegate) {
            return delegate.target;
        }
        return value != null && value.getClass().getName().equals(JAVAX + "http.Cookie") ? cookie(value) : value;
    }

    private static Cookie cookie(Object javax) throws ReflectiveOperationException {
        Class<?> type = javax.getClass();
        Cookie cookie = new Cookie((String) type.getMethod("getName").invoke(javax), (String) type.getMethod("getValue").invoke(javax));
        cookie.setMaxAge((Integer) type.getMethod("getMaxAge").invoke(javax));
        cookie.setSecure((Boolean) type.getMethod("getSecure").invoke(javax));
        cookie.setHttpOnly((Boolean) type.getMethod("isHttpOnly").invoke(javax));
        for (String name : new String[] {"Domain", "Path"}) {
            Object value = type.getMethod("get" + name).invoke(javax);
            if (value != null) {
                Cookie.class.getMethod("set" + name, String.class).invoke(cookie, value);
            }
        }
        return cookie;
    }

    /** Hands the calls of a proxy on to an object of Jetty's. */
    private final class Delegate implements InvocationHandler {

        private final Object target;
        private final Class<?> type;

        Delegate(Object target, Class<?> type) {
            this.target = target;
            this.type = type;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(target, proxy, method, arguments);
            }
            boolean isStatus = method.getName().equals("setStatus"); // Whose text is no longer sent.
            Object[] values = arguments == null ? new Object[0] : Arrays.copyOf(arguments, isStatus ? 1 : arguments.length);
            for (int i = 0; i < values.length; i++) {
                values[i] = toJakarta(values[i]);
            }
            Class<?>[] types = Arrays.stream(method.getParameterTypes()).limit(values.length).map(JavaxFilter::jakarta)
                .toArray(Class<?>[]::new);
            try {
                return toJavax(type.getMethod(method.getName(), types).invoke(target, values), method.getReturnType());
            } catch (NoSuchMethodException e) {
                throw new UnsupportedOperationException("A filter for javax.servlet cannot call " + method.getName() + " here.", e);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof ServletException thrown ? javaxException(thrown) : e.getCause();
            }
        }
    }

    /** Who the filter says that a user is; each is null if nobody has logged in. */
    private record User(Principal principal, String name, String authentication) {
    }

    private static final class RequestOfUser extends HttpServletRequestWrapper {

        private final User user;

        RequestOfUser(HttpServletRequest request, User user) {
            super(request);
            this.user = user;
        }

        @Override
        public Principal getUserPrincipal() {
            return user.principal();
        }

        @Override
        public String getRemoteUser() {
            return user.name();
        }

        @Override
        public String getAuthType() {
            return user.authentication();
        }
    }
}
