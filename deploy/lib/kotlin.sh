# The Kotlin compiler and the build of the Kotlin client library. Sourced after packages.sh; expects $root.
#
# Kotlin 2.4 with coroutines 1.10 is in a Python package (81 MB), which is pinned by its hash and installed into .build/peers
# the first time. The library is compiled as Kotlin 2.1, so that apps with 2.0 and later can read it.

kotlin_package=kotlin-jupyter-kernel==0.19.0.944
kotlin_hash=sha256:dc654a426a28e6621aeb0bd7772d268a9a877aabae4a17b73383752a416281a3
kotlin_home="$root/.build/peers/kotlin-2.4"
kotlin_sources="$root/Shared/LatchkeyAuthKotlin"
kotlin_packages=(openjdk-17-jdk-headless libokhttp-java libokio-java libgoogle-gson-java python3-venv python3-pip)
java_folder=/usr/share/java
kotlin_okhttp=$java_folder/okhttp.jar:$java_folder/okio.jar

# Whether everything is there already, so that deploy/test can leave the Kotlin library out without any download.
has_kotlin() {
    local package
    [[ -e $kotlin_home/ready ]] && command -v javac >/dev/null || return 1
    for package in okhttp okio gson; do [[ -e $java_folder/$package.jar ]] || return 1; done
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

# kotlin_compile OUTPUT CLASSPATH OPTION... SOURCE...: into a jar or a folder.
kotlin_compile() {
    local output=$1 classpath=$2
    shift 2
    java -Xmx1500m -Xss4m -cp "$kotlin_home/compiler.jar" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler \
        -no-stdlib -no-reflect -language-version 2.1 -api-version 2.1 -jvm-target 11 -Werror \
        -classpath "$kotlin_stdlib:$kotlin_coroutines:$classpath" -d "$output" "$@"
}

# Compiles what has changed since the last time into $kotlin_out: core, jvm, driver, and whatever else is named.
kotlin_out="$root/.build/clients/kotlin"
kotlin_library=(-Xexplicit-api=strict -Xstring-concat=inline -Xlambdas=class -Xsam-conversions=class)

# Whether a jar is older than one of its sources.
kotlin_is_old() {
    local jar=$1
    shift
    [[ ! -e $jar || -n $(find "$@" -newer "$jar" -print -quit) ]]
}

kotlin_build() {
    mkdir -p "$kotlin_out"
    local core="$kotlin_out/core.jar" jvm="$kotlin_out/jvm.jar" driver="$kotlin_out/driver.jar"
    if kotlin_is_old "$core" "$kotlin_sources/core"; then
        kotlin_compile "$core" "" -module-name latchkey-auth "${kotlin_library[@]}" "$kotlin_sources/core"
    fi
    if kotlin_is_old "$jvm" "$kotlin_sources/jvm" "$core"; then
        kotlin_compile "$jvm" "$core" -module-name latchkey-auth-jvm "${kotlin_library[@]}" "$kotlin_sources/jvm"
    fi
    if kotlin_is_old "$driver" "$root/Tests/Clients/drivers/kotlin" "$core" "$jvm"; then
        kotlin_compile "$driver" "$core:$jvm" -Xfriend-paths="$core" "$root/Tests/Clients/drivers/kotlin"
        rm -f "$kotlin_out/driver.jsa"
    fi
    kotlin_classpath=$driver:$core:$jvm:$kotlin_stdlib:$kotlin_coroutines
    kotlin_write_driver
}

# Writes the command that starts the driver. An archive of its classes halves the time of a start.
kotlin_write_driver() {
    local java=(java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx96m)
    if [[ ! -e $kotlin_out/driver.jsa ]]; then
        echo '{"id":1,"do":"start","now":1000,"wall":1800000000}' |
            "${java[@]}" -XX:ArchiveClassesAtExit="$kotlin_out/driver.jsa" -cp "$kotlin_classpath" \
                latchkey.driver.DriverKt https://example.com >/dev/null 2>&1 || true
    fi
    cat >"$kotlin_out/driver" <<RUN
#!/bin/bash
exec ${java[*]} -XX:SharedArchiveFile=$kotlin_out/driver.jsa -cp $kotlin_classpath latchkey.driver.DriverKt "\$@"
RUN
    chmod +x "$kotlin_out/driver"
}
