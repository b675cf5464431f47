# What the scripts of this repository share: one build by Maven, with a line that moves instead of Maven's log.
# POSIX shell, to be sourced.

# require_java: sets java to the JDK's launcher; ends with 2 unless it runs, and is 17 or later.
require_java() {
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  command -v "$java" >/dev/null || {
    echo "There is no $java. Install a JDK of 17 or later, or set JAVA_HOME to one." >&2
    exit 2
  }
  java_says=$("$java" -XshowSettings:properties -version 2>&1) || {
    printf '%s\n%s\n' "$java does not run; set JAVA_HOME to a JDK of 17 or later that does. It says:" "$java_says" >&2
    exit 2
  }
  java_version=$(printf '%s\n' "$java_says" | sed -n 's/^ *java\.specification\.version = //p')
  case $java_version in
    '' | *[!0-9]* | ? | 1[0-6])
      echo "$java is Java ${java_version:-unknown}; 17 or later is needed. Set JAVA_HOME to such a JDK." >&2
      exit 2
      ;;
  esac
}

# newer_than STAMP PATH...: whether a file below a path is newer than the stamp, or there is no stamp.
newer_than() {
  build_stamp=$1
  shift
  [ ! -f "$build_stamp" ] || [ -n "$(find "$@" -newer "$build_stamp" -print 2>/dev/null | head -n 1)" ]
}

# project_version ROOT: prints the version in the pom of ROOT, which ends the names of jars; ends with 2 if there is none.
project_version() {
  build_version=$(sed -n 's|^ *<version>\([^<]*\)</version>.*|\1|p' "$1/pom.xml" | head -n 1)
  if [ -z "$build_version" ]; then
    echo "There is no version in $1/pom.xml, which jars are named by. Restore that file." >&2
    exit 2
  fi
  echo "$build_version"
}

# require_built FILE...: ends with 2, and names the file, if a build has not made one of them.
require_built() {
  for build_file in "$@"; do
    if [ ! -f "$build_file" ]; then
      echo "The build has not made $build_file. Look whether its module's pom names it otherwise." >&2
      exit 2
    fi
  done
}

# build_alone WHAT ROOT OUTDATED BUILD: calls the function BUILD while no other script builds in the folder ROOT, unless the
# function OUTDATED then says that another one has done it.
build_alone() {
  command -v mvn >/dev/null || {
    echo "There is no mvn, which builds $1. Install Maven 3.8.7 or later." >&2
    exit 2
  }
  build_lock=$2/target/build.lock
  mkdir -p "$2/target"
  if command -v flock >/dev/null; then
    exec 9>>"$build_lock"
    flock -n 9 || {
      echo "Waiting for another build in $2." >&2
      flock 9
    }
    if "$3"; then "$4"; fi
    exec 9>&-
  else
    build_lock_folder
    if "$3"; then "$4"; fi
    rm -rf "$build_lock.d"
  fi
}

# Takes the lock where there is no flock: a folder with the holder's process id. That of a process that has ended is removed,
# and one without an id for 5 s, whose maker has ended before it wrote it.
build_lock_folder() {
  build_said=
  build_unnamed=0
  until mkdir "$build_lock.d" 2>/dev/null; do
    build_holder=$(cat "$build_lock.d/pid" 2>/dev/null || :)
    build_unnamed=$((build_unnamed + 1))
    if [ -n "$build_holder" ]; then build_unnamed=0; fi
    if [ "$build_unnamed" -gt 5 ] || { [ -n "$build_holder" ] && ! ps -p "$build_holder" >/dev/null 2>&1; }; then
      rm -rf "$build_lock.d"
      continue
    fi
    if [ -z "$build_said" ]; then echo "Waiting for another build in ${build_lock%/target/*}." >&2; fi
    build_said=yes
    sleep 1
  done
  echo "$$" >"$build_lock.d/pid"
}

# build_with_maven WHAT ROOT LOG ARGUMENT...: runs mvn in the folder ROOT, its whole output in the file LOG;
# ends with 2 if it fails, with the errors in the log and its name.
build_with_maven() {
  build_what=$1
  build_root=$2
  build_log=$3
  shift 3
  mkdir -p "$(dirname "$build_log")"
  build_start=$(date +%s)
  echo "Building $build_what. The first build downloads what it needs with Maven and takes minutes." >&2
  (cd "$build_root" && exec mvn -B "$@") </dev/null >"$build_log" 2>&1 &
  build_pid=$!
  trap 'kill "$build_pid" 2>/dev/null; exit 130' INT
  trap 'kill "$build_pid" 2>/dev/null; exit 143' TERM HUP
  if [ -t 2 ]; then build_line; fi
  build_code=0
  wait "$build_pid" || build_code=$?
  trap - INT TERM HUP
  if [ "$build_code" -ne 0 ]; then
    echo "The build of $build_what failed. Maven says:" >&2
    build_errors >&2
    echo "All that it wrote is in $build_log." >&2
    exit 2
  fi
  echo "Built in $(($(date +%s) - build_start)) s." >&2
}

# The line that moves until Maven ends: seconds, and the module and the step that the log came to.
build_line() {
  build_turn=0
  while kill -0 "$build_pid" 2>/dev/null; do
    build_turn=$(((build_turn + 1) % 4))
    case $build_turn in
      0) build_mark='|' ;;
      1) build_mark='/' ;;
      2) build_mark='-' ;;
      *) build_mark="\\" ;;
    esac
    # Maven 3.8 writes "--- maven-jar-plugin:3.5.1:jar (default-jar) @ module ---", 3.9 "--- jar:3.5.1:jar …".
    build_step=$(sed -n 's/^\[INFO\] --- .*:\([a-zA-Z-]*\) (.*) @ \([^ ]*\) ---$/\2: \1/p' "$build_log" | tail -n 1)
    printf '\r\033[K%s %4d s  %.60s' "$build_mark" "$(($(date +%s) - build_start))" "${build_step:-Maven starts}" >&2
    sleep 0.25
  done
  printf '\r\033[K' >&2
}

# The last of Maven's errors, and of the compilers' warnings, which are errors here; without its advice on switches.
# The last lines where it names none.
build_errors() {
  grep -E -e '^\[(ERROR|FATAL)\] +[^ ]' -e '^\[WARNING\] .*\.(java|scala):' "$build_log" |
    grep -v -E '^\[ERROR\] +(\[Help|-> \[Help|To see the full|Re-run Maven|For more information|After correcting|mvn <)' |
    sed 's/ -> \[Help [0-9]*\]$//' | awk '!seen[$0]++' | tail -n 12 | grep . || tail -n 12 "$build_log"
}
