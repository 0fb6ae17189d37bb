package io.eyewall.transport.fabric;

import io.eyewall.transport.fabric.binding.Fabric;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips the tests of a class where libfabric cannot be loaded, and reports the cause. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresLibfabric.Condition.class)
public @interface RequiresLibfabric {

    /** Checks whether the library is loaded. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Fabric.isAvailable()
                ? ConditionEvaluationResult.enabled("libfabric is loaded")
                : ConditionEvaluationResult.disabled(Fabric.unavailabilityCause().getMessage());
        }
    }
}
