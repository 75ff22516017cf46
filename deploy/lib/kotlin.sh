# The Kotlin compiler and the build of the Kotlin client library. Sourced after packages.sh; expects $root.
#
# Kotlin 2.4 with coroutines 1.10 is in a Python package (81 MB), which is pinned by its hash and installed into .build/peers
# the first time. The library is compiled as Kotlin 2.1, so that apps with 2.0 and later can read it.

kotlin_package=kotlin-jupyter-kernel==0.19.0.944
kotlin_hash=sha256:dc654a426a28e6621aeb0bd7772d268a9a877aabae4a17b73383752a416281a3
kotlin_home="$root/.build/peers/kotlin-2.4"
kotlin_sources="$root/Shared/LatchkeyAuthKotlin"
kotlin_packages=(openjdk-17-jdk-headless libokhttp-java libokio-java proguard-cli python3-venv python3-pip)
java_folder=/usr/share/java
kotlin_okhttp=$java_folder/okhttp.jar:$java_folder/okio.jar

# Whether everything is there already, so that deploy/test can leave the Kotlin library out without any download.
has_kotlin() {
    local package
    [[ -e $kotlin_home/ready ]] && command -v javac >/dev/null || return 1
    for package in okhttp okio proguard; do [[ -e $java_folder/$package.jar ]] || return 1; done
}

require_kotlin() {
    install_missing_packages "${kotlin_packages[@]}"
    kotlin_stdlib=$kotlin_home/kotlin-stdlib.jar
    kotlin_coroutines=$kotlin_home/kotlinx-coroutines-core.jar
    [[ ! -e $kotlin_home/ready ]] || return 0
    echo "installing $kotlin_package into $kotlin_home" >&2
    rm -rf "$kotlin_home"
    mkdir -p "$kotlin_home/unpacked"
    python3 -m venv "$kotlin_home/venv" >&2
    echo "$kotlin_package --hash=$kotlin_hash" >"$kotlin_home/requirements.txt"
    "$kotlin_home/venv/bin/pip" install -q --no-deps --require-hashes -r "$kotlin_home/requirements.txt" >&2
    local jars
    jars=$(dirname "$(find "$kotlin_home/venv" -name 'kotlin-jupyter-kernel-*-all.jar')")
    mv "$jars"/kotlin-jupyter-kernel-*-all.jar "$kotlin_home/compiler.jar"
    mv "$jars"/kotlin-stdlib-*.jar "$kotlin_stdlib"
    mv "$jars"/annotations-*.jar "$kotlin_home/annotations.jar"
    (cd "$kotlin_home/unpacked" && jar xf ../compiler.jar kotlinx/coroutines META-INF/kotlinx-coroutines-core.kotlin_module)
    jar cf "$kotlin_coroutines" -C "$kotlin_home/unpacked" .
    rm -rf "$kotlin_home/unpacked" "$kotlin_home/venv"
    touch "$kotlin_home/ready"
}

# The JVM's quick compiler halves the time.
kotlin_compiler=(java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1500m -Xss4m -cp "$kotlin_home/compiler.jar")
kotlin_options=(-no-stdlib -no-reflect -language-version 2.1 -api-version 2.1 -jvm-target 11)

# kotlin_compile OUTPUT CLASSPATH OPTION... SOURCE...: into a jar or a folder.
kotlin_compile() {
    local output=$1 classpath=$2
    shift 2
    "${kotlin_compiler[@]}" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler "${kotlin_options[@]}" \
        -classpath "$kotlin_stdlib:$kotlin_coroutines:$classpath" -d "$output" "$@"
}

kotlin_out="$root/.build/clients/kotlin"
# No reflection and no generated lambda classes at run time, so that shrinkers and old Androids need no care.
kotlin_library=(-Werror -Xexplicit-api=strict -Xstring-concat=inline -Xlambdas=class -Xsam-conversions=class)
# The driver, the checks, the printed usage of two documents, and the example app over stand-ins for Compose.
kotlin_tests=(drivers/kotlin kotlin ../Compat/voltyks/Kotlin/Usage.kt ../Compat/voltyks/Kotlin/Models.kt
    ../Compat/gremlin/Kotlin/Snippet.kt ../Compat/Kotlin/Lifecycle.kt compose-stubs ../../deploy/apps/android/src)

# Whether an output is older than one of its sources.
kotlin_is_old() {
    local output=$1
    shift
    [[ ! -e $output || -n $(find "$@" -newer "$output" -print -quit) ]]
}

# kotlin_module NAME CLASSPATH OTHER-OUTPUT...: compiles a part of the library if it or another part has changed.
kotlin_module() {
    local name=$1 classpath=$2 output="$kotlin_out/$1.jar"
    shift 2
    kotlin_is_old "$output" "$kotlin_sources/$name" "$@" || return 0
    kotlin_compile "$output" "$classpath" -module-name "latchkey-auth-$name" "${kotlin_library[@]}" "$kotlin_sources/$name"
    [[ ! -d $kotlin_sources/$name/META-INF ]] || jar uf "$output" -C "$kotlin_sources/$name" META-INF/proguard
}

# kotlin_java NAME CLASSPATH SOURCES: compiles Java sources into a jar if they have changed.
kotlin_java() {
    local output="$kotlin_out/$1.jar" folder="$kotlin_out/$1.classes"
    kotlin_is_old "$output" "$3" || return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    find "$3" -name '*.java' -print0 | xargs -0 javac --release 11 -XDstringConcat=inline -Xlint:all,-classfile,-serial -d "$folder" -classpath "$2"
    jar cf "$output" -C "$folder" .
}

# Compiles what has changed since the last time into $kotlin_out, and sets $kotlin_classpath.
kotlin_build() {
    mkdir -p "$kotlin_out"
    local core="$kotlin_out/core.jar" suite="$root/Tests/Clients" tests="$kotlin_out/tests.jar" parts
    kotlin_module core ""
    kotlin_module jvm "$core" "$core"
    kotlin_java okhttp "$core:$kotlin_okhttp:$kotlin_stdlib:$kotlin_coroutines" "$kotlin_sources/okhttp"
    kotlin_java stubs "" "$suite/android-stubs"
    kotlin_module android "$core:$kotlin_out/stubs.jar" "$core" "$kotlin_out/stubs.jar"
    parts=$core:$kotlin_out/jvm.jar:$kotlin_out/okhttp.jar:$kotlin_out/android.jar:$kotlin_out/stubs.jar:$kotlin_okhttp
    if (cd "$suite" && kotlin_is_old "$tests" "${kotlin_tests[@]}" "$kotlin_out"/{core,android,okhttp}.jar); then
        (cd "$suite" && kotlin_compile "$tests" "$parts" -nowarn -Xfriend-paths="$core,$kotlin_out/android.jar" \
            "${kotlin_tests[@]}")
        rm -f "$kotlin_out"/*.jsa
    fi
    kotlin_classpath=$tests:$parts:$kotlin_stdlib:$kotlin_coroutines
    kotlin_write_driver driver "$kotlin_classpath"
}

kotlin_java=(java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx96m)

# kotlin_write_driver NAME CLASSPATH: writes the command that starts the driver. An archive of its classes halves the time of a
# start.
kotlin_write_driver() {
    local command="$kotlin_out/$1" archive="$kotlin_out/$1.jsa"
    if [[ ! -e $archive ]]; then
        echo '{"id":1,"do":"start","now":1000,"wall":1800000000}' |
            "${kotlin_java[@]}" -XX:ArchiveClassesAtExit="$archive" -cp "$2" latchkey.driver.DriverKt \
                https://example.com >/dev/null 2>&1 || true
    fi
    cat >"$command" <<RUN
#!/bin/bash
exec ${kotlin_java[*]} -XX:SharedArchiveFile=$archive -cp $2 latchkey.driver.DriverKt "\$@"
RUN
    chmod +x "$command"
}

# Shrinks and renames the library with its driver as an app's build does, by the rules in the jars, and writes the
# command of the shrunk driver. Debian's ProGuard reads no class of Java 17, so it gets the signatures of Java 11.
kotlin_shrink() {
    local work="$kotlin_out/shrink" java_home
    java_home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    if ! kotlin_is_old "$kotlin_out/shrunk.jar" "$kotlin_out/tests.jar"; then
        kotlin_write_driver shrunk "$kotlin_out/shrunk.jar"
        return
    fi
    rm -rf "$work" "$kotlin_out"/shrunk.*
    mkdir -p "$work/rules"
    python3 - "$java_home/lib/ct.sym" "$work/java11.jar" <<'SIGNATURES'
import sys, zipfile
# Folders are named by the releases that they are for, such as 89AB; java.base's classes alone are needed, and HTTP.
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], 'w') as new:
    for name in old.namelist():
        release, _, path = name.partition('/')
        module, _, path = path.partition('/')
        if 'B' in release and path.endswith('.sig') and path != 'module-info.sig' and module in (
                'java.base', 'java.net.http', 'java.logging', 'jdk.httpserver', 'java.desktop', 'java.sql', 'java.xml'):
            # The number of the format is Java 17's, the content is not.
            text = old.read(name)
            new.writestr(path[:-4] + '.class', text[:6] + b'\x00\x37' + text[8:])
SIGNATURES
    local jar
    for jar in core android; do
        cp "$kotlin_sources/$jar"/META-INF/proguard/*.pro "$work/rules/"
    done
    unzip -qo -j "$kotlin_coroutines" 'META-INF/proguard/*' -d "$work/rules" 2>/dev/null || true
    {
        for jar in "$kotlin_out"/{tests,core,jvm,okhttp,android,stubs}.jar "$kotlin_stdlib" "$kotlin_coroutines"; do
            echo "-injars $jar(!META-INF/**,!**/module-info.class)"
        done
        for jar in $java_folder/okhttp.jar $java_folder/okio.jar; do echo "-injars $jar(!META-INF/**)"; done
        echo "-outjars $kotlin_out/shrunk.jar"
        echo "-libraryjars $work/java11.jar"
        printf -- '-include %s\n' "$work"/rules/*.pro
        cat <<'RULES'
-keep class latchkey.driver.DriverKt { public static void main(java.lang.String[]); }
-keepattributes *Annotation*,Signature,InnerClasses,EnclosingMethod
-dontoptimize
-dontnote **
-dontwarn **
-ignorewarnings
-allowaccessmodification
-repackageclasses
RULES
    } >"$work/rules.pro"
    proguard @"$work/rules.pro" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; return 1; }
    kotlin_write_driver shrunk "$kotlin_out/shrunk.jar"
}

# Puts a copy of the library with its driver into a folder, for mutate.py. Only the file that differs from the original is
# compiled, by a compiler that stays, and its classes come first.
kotlin_write_mutants() {
    local folder=$1 jars
    rm -rf "$folder"
    mkdir -p "$folder"
    cp -R "$kotlin_sources/core" "$folder/core"
    cp -R "$kotlin_sources/core" "$folder/original"
    cp "$kotlin_out"/{tests,core,jvm,okhttp,android,stubs}.jar "$folder/"
    jars=$(printf "$folder/%s.jar:" tests core jvm okhttp android stubs)$kotlin_okhttp:$kotlin_stdlib:$kotlin_coroutines
    cat >"$folder/builder" <<BUILDER
#!/bin/bash
exec ${kotlin_compiler[*]} -Dkotlin.environment.keepalive=true $root/Tests/Clients/mutants/KotlinBuilder.java \\
    ${kotlin_options[*]} -nowarn -Xexplicit-api=strict -module-name latchkey-auth-core \\
    -classpath $kotlin_stdlib:$kotlin_coroutines:core.jar -Xfriend-paths=core.jar 2>&1
BUILDER
    cat >"$folder/driver" <<RUN
#!/bin/bash
exec ${kotlin_java[*]} -cp $folder/classes:$jars latchkey.driver.DriverKt "\$@"
RUN
    chmod +x "$folder/builder" "$folder/driver"
}

# kotlin_write_maven FOLDER: the library as a Maven repository.
kotlin_write_maven() {
    local version
    version=$(sed -n 's|.*CLIENT = "kotlin/\(.*\)".*|\1|p' "$kotlin_sources/core/latchkey/auth/http/Api.kt")
    kotlin_write_artifact "$1" "$version" auth core \
        org.jetbrains.kotlin:kotlin-stdlib:2.1.0:compile org.jetbrains.kotlinx:kotlinx-coroutines-core:1.10.2:compile
    kotlin_write_artifact "$1" "$version" auth-jvm jvm "latchkey:auth:$version:compile"
    # An app brings its own OkHttp, 3 or later.
    kotlin_write_artifact "$1" "$version" auth-okhttp okhttp \
        "latchkey:auth:$version:compile" com.squareup.okhttp3:okhttp:3.13.1:provided
    # What only some apps use, an app adds itself.
    kotlin_write_artifact "$1" "$version" auth-android android "latchkey:auth:$version:compile" \
        com.google.android.gms:play-services-auth-api-phone:18.1.0:provided androidx.credentials:credentials:1.3.0:provided \
        com.google.android.libraries.identity.googleid:googleid:1.1.1:provided
}

# kotlin_write_artifact FOLDER VERSION NAME PART GROUP:ARTIFACT:VERSION:SCOPE...
kotlin_write_artifact() {
    local version=$2 name=$3 part=$4 place="$1/latchkey/$3/$2" file dependency fields
    shift 4
    mkdir -p "$place"
    file="$place/$name-$version"
    cp "$kotlin_out/$part.jar" "$file.jar"
    jar cf "$file-sources.jar" -C "$kotlin_sources/$part" latchkey
    {
        echo '<?xml version="1.0" encoding="UTF-8"?>'
        echo "<project><modelVersion>4.0.0</modelVersion>"
        echo "  <groupId>latchkey</groupId><artifactId>$name</artifactId><version>$version</version><packaging>jar</packaging>"
        echo "  <name>Latchkey for Kotlin: $part</name>"
        echo "  <dependencies>"
        for dependency in "$@"; do
            IFS=: read -ra fields <<<"$dependency"
            echo "    <dependency><groupId>${fields[0]}</groupId><artifactId>${fields[1]}</artifactId>"
            echo "      <version>${fields[2]}</version><scope>${fields[3]}</scope></dependency>"
        done
        echo "  </dependencies>"
        echo "</project>"
    } >"$file.pom"
    for file in "$file.jar" "$file-sources.jar" "$file.pom"; do
        sha1sum "$file" | cut -d' ' -f1 >"$file.sha1"
        sha256sum "$file" | cut -d' ' -f1 >"$file.sha256"
    done
}
