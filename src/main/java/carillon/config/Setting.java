package carillon.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Annotation of a component: properties for the loader that its name and type do not have. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Setting {
  /** Key of the setting, if it is not the component's name. */
  String key() default "";

  /** Whether its value may hold a password and is never shown. */
  boolean secret() default false;

  /** Text to add to the rule when the value cannot be read. */
  String hint() default "";
}
