package carillon.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the loader cannot know of a component from its name and type. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Setting {
  /** Its key, where that is not the component's name. */
  String key() default "";

  /** Whether its value may hold a password and is never shown. */
  boolean secret() default false;

  /** What to add to the rule when the value cannot be read. */
  String hint() default "";
}
