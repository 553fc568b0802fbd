/** How log lines are written as JSON. Stands alone; named in {@code logback.xml} only. */
package carillon.log;
