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
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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
    private final Class<?> requests;
    private final Class<?> responses;
    private final Class<?> chains;
    private final Method doFilter;
    private final Getters ofRequest;
    private final Getters ofCookie;
    private final Constructor<?> cookies;
    /** The methods of jakarta.servlet by those of javax.servlet, which are called at each request. */
    private final Map<Method, Method> methods = new ConcurrentHashMap<>();

    /**
     * Makes the filter.
     *
     * @throws ReflectiveOperationException if its class lets nobody make one
     */
    JavaxFilter(Class<?> type) throws ReflectiveOperationException {
        filter = type.getConstructor().newInstance();
        loader = type.getClassLoader();
        requests = javax("http.HttpServletRequest");
        responses = javax("http.HttpServletResponse");
        chains = javax("FilterChain");
        doFilter = javax("Filter").getMethod("doFilter", javax("ServletRequest"), javax("ServletResponse"), chains);
        ofRequest = new Getters(requests, "getUserPrincipal", "getRemoteUser", "getAuthType");
        Class<?> cookie = javax("http.Cookie");
        ofCookie = new Getters(cookie, "getName", "getValue", "getMaxAge", "getSecure", "isHttpOnly", "getDomain", "getPath");
        cookies = cookie.getConstructor(String.class, String.class);
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
            Class<?> type = javax("FilterConfig");
            call(javax("Filter").getMethod("init", type), proxy(config, type));
        } catch (IOException | NoSuchMethodException e) {
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
        call(doFilter, proxy(request, requests), proxy(response, responses),
            Proxy.newProxyInstance(loader, new Class<?>[] {chains}, next));
    }

    @Override
    public void destroy() {
        try {
            call(javax("Filter").getMethod("destroy"));
        } catch (IOException | ServletException | NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private void call(Method method, Object... arguments) throws IOException, ServletException {
        try {
            method.invoke(filter, arguments);
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
        return new User(ofRequest.get(request, "getUserPrincipal", Principal.class), ofRequest.get(request, "getRemoteUser", String.class),
            ofRequest.get(request, "getAuthType", String.class));
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

    /** The method of the same name; setStatus leaves out the text, which is no longer sent. */
    private static Method jakarta(Method method) {
        int arguments = method.getName().equals("setStatus") ? 1 : method.getParameterCount();
        Class<?>[] types = Arrays.stream(method.getParameterTypes()).limit(arguments).map(JavaxFilter::jakarta).toArray(Class<?>[]::new);
        try {
            return jakarta(method.getDeclaringClass()).getMethod(method.getName(), types);
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException("A filter for javax.servlet cannot call " + method.getName() + " here.", e);
        }
    }

    private Object proxy(Object target, Class<?> type) {
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, new Delegate(target));
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
            return cookies.newInstance(cookie.getName(), cookie.getValue());
        }
        if (!single.isInterface()) {
            throw new UnsupportedOperationException("A filter for javax.servlet cannot have a " + single.getName() + " here.");
        }
        return proxy(value, single);
    }

    private Object toJakarta(Object value) throws ReflectiveOperationException {
        if (value != null && Proxy.isProxyClass(value.getClass()) && Proxy.getInvocationHandler(value) instanceof Delegate delegate) {
            return delegate.target;
        }
        return ofCookie.type().isInstance(value) ? cookie(value) : value;
    }

    private Cookie cookie(Object javax) throws ReflectiveOperationException {
        Cookie cookie = new Cookie(ofCookie.get(javax, "getName", String.class), ofCookie.get(javax, "getValue", String.class));
        cookie.setMaxAge(ofCookie.get(javax, "getMaxAge", Integer.class));
        cookie.setSecure(ofCookie.get(javax, "getSecure", Boolean.class));
        cookie.setHttpOnly(ofCookie.get(javax, "isHttpOnly", Boolean.class));
        String domain = ofCookie.get(javax, "getDomain", String.class);
        if (domain != null) {
            cookie.setDomain(domain);
        }
        String path = ofCookie.get(javax, "getPath", String.class);
        if (path != null) {
            cookie.setPath(path);
        }
        return cookie;
    }

    /** Methods without arguments of a class of javax.servlet's, by their names. */
    private static final class Getters {

        private final Class<?> type;
        private final Map<String, Method> methods = new HashMap<>();

        Getters(Class<?> type, String... names) throws NoSuchMethodException {
            this.type = type;
            for (String name : names) {
                methods.put(name, type.getMethod(name));
            }
        }

        Class<?> type() {
            return type;
        }

        <T> T get(Object target, String name, Class<T> returned) throws ReflectiveOperationException {
            return returned.cast(methods.get(name).invoke(target));
        }
    }

    /** Hands the calls of a proxy on to an object of Jetty's. */
    private final class Delegate implements InvocationHandler {

        private final Object target;

        Delegate(Object target) {
            this.target = target;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(target, proxy, method, arguments);
            }
            Method jakartas = methods.computeIfAbsent(method, JavaxFilter::jakarta);
            Object[] values = arguments == null ? new Object[0] : Arrays.copyOf(arguments, jakartas.getParameterCount());
            for (int i = 0; i < values.length; i++) {
                values[i] = toJakarta(values[i]);
            }
            try {
                return toJavax(jakartas.invoke(target, values), method.getReturnType());
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
