#!/bin/sh
# Runs the packaged program of this project: CARILLON_JAR names another. CARILLON_JAVA_OPTS stands for the options below, with which bin/carillon starts a node on
# two processors.
jar=${CARILLON_JAR:-$(dirname "$0")/../../../../target/carillon.jar}
[ -f "$jar" ] || { echo "$jar is missing: mvn package -DskipTests" >&2; exit 2; }
export CARILLON_HTTP_PORT="$PORT" CARILLON_REDIS_URI="redis://127.0.0.1:$REDIS_PORT" CARILLON_EGRESS_LOOPBACK=allow CARILLON_DATA_DIR="$DATA_DIR"
# shellcheck disable=SC2086 # several options
exec "${JAVA:-java}" -Xms1g -Xmx2g ${CARILLON_JAVA_OPTS--XX:+UseSerialGC -XX:PerMethodTrapLimit=0} -jar "$jar"
