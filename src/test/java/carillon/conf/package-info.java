/** The files of {@code conf/} that start nothing by themselves, tried as far as a test can. */
package carillon.conf;
