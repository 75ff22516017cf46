#!/usr/bin/env python3
"""Lists what a release contains besides Latchkey: components.py ROOT BINARY VERSION EPOCH FOLDER

Writes into FOLDER: licenses/ (licences and NOTICE files from the checkouts and of the system's archives), latchkey.spdx.json
(SPDX 2.3), and copyright (in the form of Debian's files). What is linked follows from the manifests: every package that a
product of `latchkey` reaches on Linux with the traits that are on. For deploy/package.
"""

import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

root, binary, version, epoch, folder = sys.argv[1:]
checkouts = os.path.join(root, ".build", "checkouts")
LICENCES = ("license", "licence", "notice", "copying")
TEXTS = [
    ("Apache License", "Apache-2.0"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("UNICODE LICENSE V3", "Unicode-3.0"),
    ("Redistribution and use in source and binary forms", "BSD-3-Clause"),
]


def manifest(path):
    """The manifest of a package; its scratch folder lies outside of the checkout."""
    scratch = os.path.join(root, ".build", "manifests")
    command = ["swift", "package", "--package-path", path, "--scratch-path", scratch, "dump-package"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def pins():
    """The pinned packages by identity: version, location and checkout."""
    found = {}
    for pin in json.load(open(os.path.join(root, "Package.resolved")))["pins"]:
        name = re.sub(r"\.git$", "", pin["location"]).rsplit("/", 1)[-1]
        found[pin["identity"].lower()] = (pin["state"].get("version") or pin["state"]["revision"], pin["location"], name)
    return found


class Package:
    """A manifest, and what of it has been reached."""

    def __init__(self, path):
        data = manifest(path)
        self.targets = {target["name"]: target for target in data["targets"]}
        self.products = {product["name"]: product["targets"] for product in data["products"]}
        self.dependencies = {}
        for entry in data["dependencies"]:
            for kind in entry.values():
                for one in kind:
                    traits = [trait["name"] for trait in one.get("traits") or []]
                    self.dependencies[one["identity"].lower()] = traits
        self.traits = {trait["name"]: trait.get("enabledTraits") or [] for trait in data.get("traits") or []}
        self.enabled = set()

    def enable(self, names):
        for name in names:
            if name not in self.enabled:
                self.enabled.add(name)
                self.enable(self.traits.get(name, []))

    def applies(self, condition):
        """Whether a dependency under a condition is one on Linux, with the traits that are on."""
        if not condition:
            return True
        platforms, traits = condition.get("platformNames") or [], condition.get("traits") or []
        return (not platforms or "linux" in platforms) and (not traits or bool(self.enabled & set(traits)))


class Walk:
    """The packages that a product reaches."""

    def __init__(self):
        self.pins, self.packages, self.seen = pins(), {}, set()

    def package(self, identity):
        if identity not in self.packages:
            path = root if identity == "" else os.path.join(checkouts, self.pins[identity][2])
            self.packages[identity] = Package(path)
        return self.packages[identity]

    def target(self, identity, name):
        package = self.package(identity)
        if (identity, name) in self.seen or name not in package.targets:
            return name in package.targets
        self.seen.add((identity, name))
        for dependency in package.targets[name]["dependencies"]:
            self.dependency(identity, package, dependency)
        return True

    def dependency(self, identity, package, dependency):
        if "product" in dependency:
            product, owner, _, condition = (dependency["product"] + [None] * 4)[:4]
            if package.applies(condition):
                self.product(package, product, owner)
        elif "target" in dependency:
            if package.applies(dependency["target"][1]):
                self.target(identity, dependency["target"][0])
        else:
            name, condition = dependency["byName"]
            if package.applies(condition) and not self.target(identity, name):
                self.product(package, name, None)

    def product(self, package, name, owner):
        for identity, traits in package.dependencies.items():
            known = {identity, self.pins[identity][2].lower()} if identity in self.pins else set()
            if owner and owner.lower() not in known or not known:
                continue
            found = self.package(identity)
            if name in found.products:
                found.enable(traits or ["default"])
                for target in found.products[name]:
                    self.target(identity, target)


def licence(text):
    return next((name for mark, name in TEXTS if mark in text), "NOASSERTION")


def texts_of(path):
    """The licence and NOTICE files at the top of a folder, or a file itself."""
    if os.path.isfile(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.lower().startswith(LICENCES))
    return [os.path.join(path, name) for name in names if os.path.isfile(os.path.join(path, name))]


def components():
    """Name, version, source, licence and texts of each component, sorted by name."""
    walk = Walk()
    walk.target("", "latchkey")
    found = []
    for identity in sorted({identity for identity, _ in walk.seen if identity}):
        number, location, name = walk.pins[identity]
        texts = texts_of(os.path.join(checkouts, name))
        kinds = [licence(open(text, errors="replace").read()) for text in texts]
        known = [kind for kind in kinds if kind != "NOASSERTION"]
        found.append((name, number, location, known[0] if known else "NOASSERTION", texts))
    return sorted(found + toolchain() + system() + own(), key=lambda one: one[0].lower())


def toolchain():
    """Swift's libraries, which are linked statically, with Foundation and the data of ICU."""
    shown = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    number = re.search(r"Swift version (\S+)", shown).group(1)
    compiler = subprocess.run(["sh", "-c", "readlink -f $(command -v swift)"], check=True, capture_output=True, text=True)
    text = os.path.join(os.path.dirname(os.path.dirname(compiler.stdout.strip())), "share", "swift", "LICENSE.txt")
    unicode = os.path.join(root, "deploy", "lib", "licenses", "Unicode-3.0.txt")
    return [
        ("swift", number, "https://github.com/swiftlang/swift", "Apache-2.0 WITH Swift-exception", [text]),
        ("swift-foundation-icu", number, "https://github.com/swiftlang/swift-foundation-icu", "Unicode-3.0", [unicode]),
    ]


def system():
    """The archives of the system that are linked in: hiredis, unless the binary loads it."""
    needed = subprocess.run(["readelf", "-d", binary], check=True, capture_output=True, text=True).stdout
    if "libhiredis" in needed:
        return []
    query = ["dpkg-query", "-W", "-f", "${source:Upstream-Version}", "libhiredis-dev"]
    number = subprocess.run(query, check=True, capture_output=True, text=True).stdout
    text = "/usr/share/doc/libhiredis-dev/copyright"
    return [("hiredis", number, "https://github.com/redis/hiredis", "BSD-3-Clause", [text])]


def own():
    """Data of others among Latchkey's sources."""
    text = os.path.join(root, "Shared", "CommonPasswordList", "LICENSE.zxcvbn")
    return [("zxcvbn", "4.5.0", "https://github.com/dwolfhub/zxcvbn-python", "MIT", [text])]


def own_licence():
    """Latchkey's own licence file, once its owner has chosen one."""
    found = texts_of(root)
    return (found, licence(open(found[0]).read())) if found else ([], "NOASSERTION")


def write_licences(found):
    for name, _, _, _, texts in found:
        place = os.path.join(folder, "licenses", name)
        os.makedirs(place, exist_ok=True)
        for text in texts:
            shutil.copyfile(text, os.path.join(place, os.path.basename(text)))
    for text in own_licence()[0]:
        shutil.copyfile(text, os.path.join(folder, os.path.basename(text)))


def spdx(found):
    """The SBOM."""
    created = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    digest = hashlib.sha256(open(binary, "rb").read()).hexdigest()

    def package(identifier, name, number, location, kind):
        return {
            "SPDXID": f"SPDXRef-{identifier}", "name": name, "versionInfo": number, "downloadLocation": location,
            "filesAnalyzed": False, "licenseConcluded": kind, "licenseDeclared": kind, "copyrightText": "NOASSERTION",
        }

    main = package("latchkey", "latchkey", version, "NOASSERTION", own_licence()[1])
    main["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    main["packageFileName"] = "bin/latchkey"
    parts = [package(f"component-{name}", name, number, place, kind) for name, number, place, kind, _ in found]
    linked = [
        {"spdxElementId": "SPDXRef-latchkey", "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]}
        for part in parts
    ]
    describes = {
        "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-latchkey"}
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"latchkey-{version}", "documentNamespace": f"urn:latchkey:{version}:{digest}",
        "creationInfo": {"created": created, "creators": [f"Tool: latchkey-package-{version}"]},
        "packages": [main] + parts, "relationships": [describes] + linked,
    }


def copyright_file(found):
    """The licences in one file, in the form of Debian's copyright files."""
    kinds = own_licence()[1]
    lines = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/", "Upstream-Name: latchkey", "",
        "Files: *", "Copyright: the authors of Latchkey",
        f"License: {kinds if kinds != 'NOASSERTION' else 'not-yet-chosen'}", "",
    ]
    for name, number, location, kind, texts in found:
        lines += [f"Files: usr/lib/latchkey/latchkey (part: {name} {number})", f"Source: {location}", f"License: {kind}"]
        for text in texts:
            body = open(text, errors="replace").read().rstrip().split("\n")
            lines += [" ." if not line.strip() else " " + line.rstrip() for line in body] + [" ."]
        lines += [""]
    return "\n".join(lines)


found = components()
write_licences(found)
with open(os.path.join(folder, "latchkey.spdx.json"), "w") as file:
    json.dump(spdx(found), file, indent=1, sort_keys=True)
    file.write("\n")
with open(os.path.join(folder, "copyright"), "w") as file:
    file.write(copyright_file(found))
missing = [name for name, _, _, kind, texts in found if kind == "NOASSERTION" or not texts]
if missing:
    sys.exit(f"no licence was found for: {' '.join(missing)}")
