#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Compiles the CPU forms of the OpenCL kernels ahead of time into one shared object, whose only
symbol is the table `sfumato_native_kernels` of core/device/native_kernels.hpp.

Beside each source cl/ROOM/NAME.cl, a file NAME.programs lists the programs that filters ask for on
processors: on each line the -D definitions of one, or of several where alternatives are given as
NAME={A,B}. A program becomes one translation unit: cl/native/prelude.clh, the preprocessed source,
and for each kernel in it a function that runs it for a range of items.

The same input gives the same object, to the byte.
"""
import argparse
import concurrent.futures
import hashlib
import itertools
import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
import typing

PRELUDE = "native/prelude.clh"
# On some machines Clang must be told that they have these types.
LANGUAGE = ["-x", "cl", "-cl-std=CL1.2", "-cl-no-stdinc", "-w", "-DSFUMATO_NATIVE",
            "-Xclang", "-cl-ext=+cl_khr_fp16,+cl_khr_fp64"]
# Kernels' frames are large, and nothing points into them after their end.
SANITIZED = ["-O0", "-g", "-fno-omit-frame-pointer", "-fsanitize-address-use-after-return=never",
             "-fno-sanitize-recover=all"]
# Lines of the kernels' macros are long.
DIAGNOSTICS = ["-fno-caret-diagnostics", "-ferror-limit=5"]
# -fno-builtin: a shift of a window, lane by lane, would become a call of memmove. Results as PoCL's
# need the contraction within an expression.
CODE = ["-fPIC", "-fvisibility=hidden", "-fno-builtin", "-ffp-contract=on", "-fno-math-errno",
        "-fno-asynchronous-unwind-tables"]
# Loops of a fixed length are unrolled as a whole. Others are as fast as they are, and shorter.
UNROLLED = ["-mllvm", "-unroll-runtime=0", "-mllvm", "-unroll-allow-partial=0"]
# For the oldest processors, loops with long bodies stay loops, but for those with unroll(full): each
# vector of sixteen floats is four of their registers, and its code four times as long.
SHORT = ["-mllvm", "-pragma-unroll-threshold=3000"]
LOWERED = ["-emit-llvm", "-S", "-Xclang", "-disable-llvm-passes"]
ANY = "sfumato_any_program"


class Failure(Exception):
    """What the user is told instead of a result."""


class Program(typing.NamedTuple):
    source: str  # its path below the folder of kernels
    definitions: tuple

    def __str__(self):
        return f"{self.source} {self.options}".rstrip()

    @property
    def options(self):
        """As the table names them: sorted, without -D."""
        return " ".join(self.definitions)

    @property
    def words(self):
        return [f"-D{definition}" for definition in self.definitions]

    @property
    def source_name(self):
        """As kernels::Source::name: the room of a filter, or the engine's file."""
        room, file = pathlib.PurePosixPath(self.source).parts
        return f"engine_{pathlib.PurePosixPath(file).stem}" if room == "engine" else room


class Argument(typing.NamedTuple):
    kind: str
    type: str = ""  # of a value



def alternatives(word):
    """The definitions that one word of a list stands for."""
    found = re.fullmatch(r"(\w+)(?:=(?:(\w+)|\{(\w+(?:,\w+)*)\}))?", word)
    if not found:
        raise Failure(f"not a definition: {word}")
    name, one, several = found.groups()
    if several:
        return [f"{name}={value}" for value in several.split(",")]
    return [word]


def read_programs(kernels):
    """All programs, in the order of the table."""
    programs = set()
    for file in sorted(kernels.glob("*/*.programs")):
        source = file.with_suffix(".cl").relative_to(kernels).as_posix()
        for line in file.read_text().splitlines():
            if line.startswith("#"):
                continue
            try:
                choices = [alternatives(word) for word in line.split()]
            except Failure as failure:
                raise Failure(f"{file}: {failure}") from failure
            for chosen in itertools.product(*choices):
                programs.add(Program(source, tuple(sorted(chosen))))
    return sorted(programs, key=lambda p: (p.source_name.encode(), p.options.encode()))


def run(command, what, folder=None, text=None):
    """The output of a command that must succeed."""
    done = subprocess.run(command, input=text, cwd=folder, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise Failure(f"{what}:\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


# ---- Kernels' signatures


def closing(text, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth == 0:
                return at
    raise Failure("brackets that are not closed")


def split_parameters(text):
    parameters, depth, start = [], 0, 0
    for at, character in enumerate(text + ","):
        if character == "," and depth == 0:
            parameters.append(" ".join(text[start:at].split()))
            start = at + 1
        depth += (character in "([") - (character in ")]")
    return parameters


def argument_of(parameter):
    words = re.findall(r"\w+|\S", parameter)
    if "image2d_t" in words or "sampler_t" in words:
        return None
    if "*" in words:
        if {"global", "__global", "constant", "__constant"} & set(words):
            return Argument("NATIVE_MEMORY")
        if {"local", "__local"} & set(words):
            return Argument("NATIVE_LOCAL")
        return None
    kind = [word for word in words[:-1] if word not in ("const", "private", "__private")]
    if not kind or not all(re.fullmatch(r"\w+", word) for word in words):
        return None
    return Argument("NATIVE_VALUE", " ".join(kind))


def find_kernels(text):
    """The arguments of the kernels that preprocessed source defines, by name; None for one that
    cannot be given on a processor."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r"(?m)^#.*$", "", text))
    kernels = {}
    for keyword in re.finditer(r"\b(?:__)?kernel\b", text):
        at = keyword.end()
        while attribute := re.compile(r"\s*__attribute__\s*(?=\()").match(text, at):
            at = closing(text, attribute.end()) + 1
        head = re.compile(r"\s*void\s+(\w+)\s*(?=\()").match(text, at)
        if not head:
            raise Failure(f"no kernel's beginning: {text[keyword.start():][:100]}")
        name, end = head.group(1), closing(text, head.end())
        body = re.compile(r"\s*(?=\{)").match(text, end + 1)
        if not body:
            continue  # declared only
        kernels[name] = [argument_of(p) for p in split_parameters(text[head.end() + 1:end])]
    return kernels


# ---- Programs


def symbol_of(text):
    """The beginning of a program's symbols."""
    return f"sfumato_{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def without_places(text):
    """Source as it reads wherever it comes from, so that it is compiled once."""
    return re.sub(r"\n\s*\n+", "\n", re.sub(r"(?m)^#.*$", "", text))


def with_items(text, kernels):
    """The source with the place of the item that runs as each kernel's first arguments, which
    get_global_id() of the prelude returns."""
    names = "|".join(kernels)
    return re.sub(rf"\bvoid\s+({names})\s*\(",
                  r"void \1(const size_t sfumato_x, const size_t sfumato_y, ", text)


def wrapper(symbol, name, arguments):
    """OpenCL C: the arguments' kinds, and the function that runs items."""
    symbol = f"{symbol}_{name}"
    rows = [f"{{{kind}, {f'sizeof({of})' if of else 0}}}" for kind, of in arguments]
    # Read once: nothing shows the compiler that kernels do not write to `arguments`.
    reads = "".join(
        f"  const {of} a{at} = *(const {of}*)arguments[{at}];\n" if of else
        f"  void* const a{at} = arguments[{at}];\n" for at, (_, of) in enumerate(arguments))
    return (f"constant struct sfumato_native_argument {symbol}_arguments[] = "
            f"{{{', '.join(rows)}}};\n"
            f"__attribute__((flatten)) void {symbol}(void* const* arguments, "
            "const struct sfumato_native_items* items) {\n" + reads +
            "  const size_t first = items->begin[0], last = items->end[0], end = items->end[1];\n"
            "  for (size_t y = items->begin[1]; y < end; ++y) {\n"
            "    for (size_t x = first; x < last; ++x) {\n"
            f"      {name}(x, y, {', '.join(f'a{at}' for at in range(len(arguments)))});\n"
            "    }\n"
            "  }\n"
            "}\n")


class Compiler:
    def __init__(self, options):
        self.options = options
        self.version = run([options.clang, "--version"], options.clang)
        self.prelude = (options.prelude or options.kernels / PRELUDE).read_text()
        self.target = [f"--target={options.target}"] if options.target else []
        self.machine = [*self.target, f"-march={options.march}"]
        self.flags = [*CODE, *self.machine]
        sanitized = [*SANITIZED, f"-fsanitize={options.sanitize}"]
        # The oldest processors are for little code that is soon compiled.
        level = ["-O1", *SHORT] if options.march == "x86-64-v2" else ["-O2", *UNROLLED]
        if options.march != "x86-64-v4":
            level.append("-falign-loops=1")
        self.flags += sanitized if options.sanitize else level

    def unit(self, program):
        """The beginning of the program's symbols, its translation unit and its kernels."""
        watched = ["-DUNDER_MEMORY_SANITIZER"] if self.options.sanitize == "memory" else []
        text = run([self.options.clang, *LANGUAGE, *self.machine, "-I.", *watched, *program.words,
                    "-E", program.source],
                   f"{program} cannot be read", self.options.kernels)
        kernels = find_kernels(text)
        if not kernels:
            raise Failure(f"{program}: there is no kernel")
        for name, arguments in kernels.items():
            if None in arguments or not arguments:
                raise Failure(f"{program}: {name} has an argument that cannot be given natively")
        symbol = symbol_of(without_places(text))
        parts = [f'#line 1 "{PRELUDE}"\n', self.prelude, with_items(text, kernels), "\n#pragma clang attribute pop\n",
                 f'#line 1 "what calls {program.source}"\n']
        parts += [wrapper(symbol, name, kernels[name]) for name in sorted(kernels)]
        return symbol, "".join(parts), kernels

    def flags_of(self, language):
        return (LANGUAGE if language == "cl" else ["-x", language]) + self.flags

    def sum_of(self, language, text):
        parts = [self.version, *self.flags_of(language), text]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def kept(self, name, folder):
        return (self.options.cache or folder) / name

    def lowered(self, symbol, text, what):
        """The functions of a program before they are optimised, without those that no kernel calls."""
        code = run([self.options.clang, *self.flags_of("cl"), *LOWERED, *DIAGNOSTICS, "-o", "-",
                    "-"], f"{what} does not compile", text=text)
        return code.replace(symbol, ANY)

    def lowered_sum(self, symbol, text, what, folder):
        """Alike for programs that are alike before they are optimised: filters share passes."""
        own_sum = self.sum_of("cl", text)
        if self.options.sanitize:
            return own_sum  # places in the source are to be named
        kept = self.kept(f"{own_sum}.sum", folder)
        if kept.exists():
            os.utime(kept)
        else:
            code = self.lowered(symbol, text, what)
            lowered_sum = self.sum_of("ir", code)
            (folder / f"{lowered_sum}.ll").write_text(code)
            write_whole(kept, lowered_sum.encode())
        return kept.read_text()

    def compile_lowered(self, lowered_sum, symbol, text, what, folder):
        """The object of a program, whose symbols begin with symbol_of(lowered_sum)."""
        kept = self.kept(f"{lowered_sum}.o", folder)
        if kept.exists():
            os.utime(kept)
        elif self.options.sanitize:
            self.compile(text.replace(symbol, symbol_of(lowered_sum)), "cl", what, kept)
        else:
            lowered = folder / f"{lowered_sum}.ll"
            code = lowered.read_text() if lowered.exists() else self.lowered(symbol, text, what)
            self.compile(code.replace(ANY, symbol_of(lowered_sum)), "ir", what, kept)
        return kept

    def compile(self, text, language, what, output):
        made = output.with_name(f"{output.name}.{os.getpid()}")
        run([self.options.clang, *self.flags_of(language), *DIAGNOSTICS, "-c", "-o", str(made),
             "-"], f"{what} does not compile", text=text)
        made.replace(output)

    def link(self, objects, output):
        command = [self.options.clang, *self.target, "-shared", "-fPIC", "-o", str(output),
                   *map(str, objects), "-Wl,--build-id=none"]
        if self.options.sanitize:
            # The sanitizer's own functions are those of the program that loads the object.
            command.append(f"-fsanitize={self.options.sanitize}")
        else:
            command += ["-Wl,-z,defs", "-Wl,--strip-all", "-Wl,-z,pack-relative-relocs"]
        run(command + ["-Wl,--as-needed", "-lm"], f"{output} cannot be linked")


# ---- The table


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def table(rows, include):
    """C: the table. A row is a program, the beginning of its symbols, and a kernel's name and
    arguments."""
    header = (include / "device/native_kernels.hpp").read_text()
    declarations, entries = {}, []
    for program, symbol, name, arguments in rows:
        symbol = f"{symbol}_{name}"
        declarations[symbol] = (
            f"extern const struct sfumato_native_argument {symbol}_arguments[];\n"
            f"void {symbol}(void* const*, const struct sfumato_native_items*);\n")
        entries.append(f"    {{{quoted(program.source_name)}, {quoted(program.options)}, "
                       f"{quoted(name)}, {len(arguments)}, {symbol}_arguments, {symbol}}},\n")
    return (header + "".join(declarations.values()) +
            "static const struct sfumato_native_kernel kernels[] = {\n" + "".join(entries) + "};\n"
            '__attribute__((visibility("default")))\n'
            "const struct sfumato_native_table sfumato_native_kernels = {\n"
            f"    sfumato_native_version, {len(entries)}, kernels}};\n")


def with_trailer(content):
    """The object with its length and sum at the end, by which the program knows that it is whole:
    as is_whole() of core/device/built_in.hpp reads them."""
    content += bytes(-len(content) % 8)
    total = 0xcbf29ce484222325
    for (word,) in struct.iter_unpack("=Q", content):
        total = ((total ^ word) * 0x100000001b3) & 0xffffffffffffffff
    return content + struct.pack("=8sQQ", b"sfumato1", len(content), total)


def write_whole(path, content):
    """A build that is stopped leaves no half a file, and no program has the file open that changes."""
    half = path.with_name(f"{path.name}.{os.getpid()}")
    half.write_bytes(content)
    half.replace(path)


def forget_old(cache):
    """Removes what no build has used for a month."""
    oldest = time.time() - 30 * 24 * 3600
    for kept in cache.iterdir():
        try:
            if kept.stat().st_mtime < oldest:
                kept.unlink()
        except FileNotFoundError:
            pass  # by another build


def build(options):
    compiler = Compiler(options)
    programs = read_programs(options.kernels)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(folder)

        def all_of(work):
            try:
                return [job.result() for job in work]
            except Failure:
                pool.shutdown(cancel_futures=True)
                raise

        units = all_of([pool.submit(compiler.unit, program) for program in programs])
        # A text for each beginning of symbols: the first program's that has it.
        texts = {}
        for program, (symbol, text, _) in zip(programs, units):
            texts.setdefault(symbol, (symbol, text, str(program), folder))
        sums = dict(zip(texts, all_of([pool.submit(compiler.lowered_sum, *text)
                                       for text in texts.values()])))
        first = {sums[symbol]: text for symbol, text in reversed(texts.items())}
        objects = all_of([pool.submit(compiler.compile_lowered, *one)
                          for one in ((lowered_sum, *text) for lowered_sum, text in first.items())])
        rows = [(program, symbol_of(sums[symbol]), name, kernels[name])
                for program, (symbol, _, kernels) in zip(programs, units)
                for name in sorted(kernels)]
        own = folder / "table.o"
        compiler.compile(table(rows, options.include), "c", "the table", own)
        made = folder / "kernels.so"
        compiler.link([*objects, own], made)
        write_whole(options.output, with_trailer(made.read_bytes()))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{options.output}: {len(programs)} programs, {len(first)} that differ, {len(rows)} "
          f"kernels, {options.output.stat().st_size} bytes, {used.ru_utime + used.ru_stime:.1f} s of "
          "processor time")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=pathlib.Path, required=True, metavar="FOLDER",
                        help="the folder cl")
    parser.add_argument("--prelude", type=pathlib.Path, metavar="FILE",
                        help="the folder's native/prelude.clh, if none is named")
    parser.add_argument("--include", type=pathlib.Path, required=True, metavar="FOLDER",
                        help="the folder core")
    parser.add_argument("--clang", default="clang-15", help="15 or later")
    parser.add_argument("--march", default="x86-64-v3", help="the processors it is for")
    parser.add_argument("--target", metavar="TRIPLE", help="of another machine than this")
    parser.add_argument("--sanitize", metavar="KINDS", help="address,undefined or memory")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cache", type=pathlib.Path, metavar="FOLDER",
                        help="keeps objects, for the next time")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FILE")
    options = parser.parse_args()
    try:
        if options.cache:
            options.cache.mkdir(parents=True, exist_ok=True)
            forget_old(options.cache)
        build(options)
    except (Failure, OSError) as error:
        sys.exit(f"native_kernels.py: {error}")


if __name__ == "__main__":
    main()
