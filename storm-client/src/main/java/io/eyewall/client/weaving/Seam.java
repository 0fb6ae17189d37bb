package io.eyewall.client.weaving;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.reflect.Method;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.modifier.FieldManifestation;
import net.bytebuddy.description.modifier.FieldPersistence;
import net.bytebuddy.description.modifier.Ownership;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.Transformer;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.bytecode.member.FieldAccess;
import net.bytebuddy.implementation.bytecode.member.MethodReturn;
import net.bytebuddy.implementation.bytecode.member.MethodVariableAccess;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;

/**
 * One change to one class of upstream's, which counts the places that it has matched.
 */
public final class Seam {

    private final String name;
    private final String upstreamType;
    private final Change change;
    private final Counter counter = new Counter();

    private Seam(String name, String upstreamType, Change change) {
        this.name = name;
        this.upstreamType = upstreamType;
        this.change = change;
    }

    /** Inlines advice into a method. */
    public static Seam advice(String name, String upstreamType, ElementMatcher.Junction<? super MethodDescription> method,
            Class<?> advice) {
        return new Seam(name, upstreamType, (builder, counter) -> builder.visit(
            Advice.to(advice).on(isDeclaredBy(named(upstreamType)).and(method).and(counter))));
    }

    /** Adds a property with the getter and setter that an interface declares; default methods of the interface stay as they are. */
    public static Seam property(String name, String upstreamType, String field, Class<?> type, Class<?> holderType) {
        TypeDescription holder = described(holderType);
        return new Seam(name, upstreamType, (builder, counter) -> {
            counter.matches++;
            return builder.defineField(field, type, Visibility.PUBLIC, FieldManifestation.PLAIN, FieldPersistence.TRANSIENT)
                .implement(holder).method(isDeclaredBy(holder).and(isAbstract())).intercept(FieldAccessor.ofField(field));
        });
    }

    /** Gives fields of upstream's the getters and setters that an interface declares: {@code getField}, {@code isField}. */
    public static Seam accessors(String name, String upstreamType, Class<?> holderType) {
        TypeDescription holder = described(holderType);
        return new Seam(name, upstreamType, (builder, counter) ->
            builder.implement(holder).method(isDeclaredBy(holder).and(counter)).intercept(FieldAccessor.ofBeanProperty()));
    }

    /**
     * Makes final fields of upstream's volatile. Each gets the setter {@code setField} that an interface declares, and a getter if the
     * interface declares that.
     */
    public static Seam setters(String name, String upstreamType, Class<?> holderType, List<String> fields) {
        TypeDescription holder = described(holderType);
        return new Seam(name, upstreamType, (builder, counter) -> {
            DynamicType.Builder<?> woven = builder.implement(holder);
            for (String field : fields) {
                String property = Character.toUpperCase(field.charAt(0)) + field.substring(1);
                woven = woven.field(named(field)).transform(Transformer.ForField.withModifiers(FieldManifestation.VOLATILE))
                    .method(isDeclaredBy(holder).and(named("set" + property)).and(counter))
                    .intercept(setter(builder.toTypeDescription(), field))
                    .method(isDeclaredBy(holder).and(named("get" + property))).intercept(FieldAccessor.ofField(field));
            }
            return woven;
        });
    }

    /** Declares the serial version that upstream's class has by default, which what is woven into the class would change. */
    public static Seam serialVersion(String name, String upstreamType, long version) {
        return new Seam(name, upstreamType, (builder, counter) -> {
            counter.matches++;
            return builder.defineField("serialVersionUID", long.class, Visibility.PRIVATE, Ownership.STATIC, FieldManifestation.FINAL)
                .value(version);
        });
    }

    /** Has the only method of an interface call a method of upstream's that may be private and has the same parameters. */
    public static Seam calls(String name, String upstreamType, ElementMatcher.Junction<? super MethodDescription> method,
            Class<?> callerType) {
        TypeDescription caller = described(callerType);
        return new Seam(name, upstreamType, (builder, counter) -> {
            DynamicType.Builder<?> woven = builder;
            for (MethodDescription called : builder.toTypeDescription().getDeclaredMethods().filter(method.and(counter))) {
                woven = woven.implement(caller).method(isDeclaredBy(caller)).intercept(MethodCall.invoke(called).withAllArguments());
            }
            return woven;
        });
    }

    /**
     * The type with its methods in the order of its class file. Reflection has them in another order in each JVM, and a woven class would
     * have other bytes in each build.
     */
    static TypeDescription described(Class<?> type) {
        return TypePool.Default.of(type.getClassLoader()).describe(type.getName()).resolve();
    }

    /** A method that writes its only parameter to a field, which may have been declared final. */
    private static Implementation setter(TypeDescription type, String field) {
        return new Implementation.Simple(MethodVariableAccess.loadThis(), MethodVariableAccess.REFERENCE.loadFrom(1),
            FieldAccess.forField(type.getDeclaredFields().filter(named(field)).getOnly()).write(), MethodReturn.VOID);
    }

    /** Puts an annotated method in the place of a method call inside a method. */
    public static Seam delegation(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside, String calledType,
            String calledMethod, Method delegate) {
        return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.strict()
            .method(declaredBy(calledType).and(named(calledMethod)).and(counter))
            .replaceWithChain(MemberSubstitution.Substitution.Chain.Step.ForDelegation.to(delegate)).on(inside)));
    }

    /**
     * Puts an annotated method in the place of a constructor call inside a method. Other calls in there need not be resolvable, as those of
     * methods that a generic class inherits are not.
     */
    public static Seam constructionByDelegate(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside,
            String constructedType, Method delegate) {
        return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.relaxed()
            .constructor(declaredBy(constructedType).and(counter))
            .replaceWithChain(MemberSubstitution.Substitution.Chain.Step.ForDelegation.to(delegate)).on(inside)));
    }

    /** Puts a woven call in the place of a constructor call inside a method. Types of other calls there need not be on the class path. */
    public static Seam construction(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside,
            String constructedType, Method wovenCall) {
        return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.relaxed()
            .constructor(declaredBy(constructedType).and(counter)).replaceWith(wovenCall).on(inside)));
    }

    /** Puts a woven call in the place of a method call inside a method. */
    public static Seam call(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside, String calledType,
            String calledMethod, Method wovenCall) {
        return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.strict()
            .method(declaredBy(calledType).and(named(calledMethod)).and(fits(wovenCall)).and(counter)).replaceWith(wovenCall).on(inside)));
    }

    /** Of several methods of a name, those whose object and arguments are as many as the arguments of the call in their place. */
    private static ElementMatcher.Junction<MethodDescription> fits(Method wovenCall) {
        return new ElementMatcher.Junction.AbstractBase<>() {
            @Override
            public boolean matches(MethodDescription method) {
                return method.getParameters().size() + (method.isStatic() ? 0 : 1) == wovenCall.getParameterCount();
            }
        };
    }

    String name() {
        return name;
    }

    boolean isIn(TypeDescription type) {
        return upstreamType.equals(type.getName());
    }

    DynamicType.Builder<?> weave(DynamicType.Builder<?> builder) {
        return change.apply(builder, counter);
    }

    boolean hasMatched() {
        return counter.matches > 0;
    }

    private static ElementMatcher.Junction<MethodDescription> declaredBy(String type) {
        return new ElementMatcher.Junction.AbstractBase<>() {
            @Override
            public boolean matches(MethodDescription method) {
                return method.getDeclaringType().asErasure().getName().equals(type);
            }
        };
    }

    /** Changes a class, and calls the counter at each place that it is about to change. */
    @FunctionalInterface
    private interface Change {
        DynamicType.Builder<?> apply(DynamicType.Builder<?> builder, Counter counter);
    }

    /** Matches everything and counts it; the last in a chain of matchers. */
    private static final class Counter extends ElementMatcher.Junction.AbstractBase<MethodDescription> {
        private int matches;

        @Override
        public boolean matches(MethodDescription method) {
            matches++;
            return true;
        }
    }
}
