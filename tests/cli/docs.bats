# What README and docs/ say is so: their commands work as typed, their lists are those of the program, their links lead
# somewhere.

setup() {
	[ -x "$FATHOM" ] || skip "no program"
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	ln -s "$FATHOM" bin/fathom
	ln -s "$TOP/examples" examples
	PATH=$PWD/bin:$PATH
}

# blocks FILE: every ```sh block of a Markdown file that follows a line `<!-- test -->`, one file each in blocks/.
blocks() {
	mkdir -p blocks
	awk -v name="blocks/$(basename "$1" .md)" '
		/^```/ && inside { inside = 0; close(out); next }
		inside { print >out }
		/^```sh/ && marked { out = sprintf("%s-%02d.sh", name, ++n); inside = 1 }
		{ marked = /^<!-- test -->$/ }' "$1"
}

@test "the commands of README and docs/ work as typed" {
	for doc in "$TOP"/README.md "$TOP"/CONTRIBUTING.md "$TOP"/docs/*.md; do
		[ ! -e "$doc" ] || blocks "$doc"
	done
	[ "$(ls blocks | wc -l)" -ge 5 ]
	for block in blocks/*.sh; do
		bash -euo pipefail "$block" >out 2>&1 || { echo "$block:"; cat "$block" out; return 1; }
	done
}

@test "every block of commands in README and docs/ is tested, or says that it cannot be" {
	run awk '/^```sh/ && before !~ /^<!-- test(: skip)? -->$/ { print FILENAME ": " FNR } { before = $0 }' \
		"$TOP/README.md" "$TOP"/docs/*.md
	[ -z "$output" ]
}

@test "the job of make run works and is explained" {
	FATHOM_RUN_SECONDS=1 run python3 "$TOP/scripts/first-run" "$FATHOM"
	[ "$status" -eq 0 ]
	[[ $output == *"What this says:"*"reads a second"* ]]
	[ "$(ls)" = "bin
examples" ]
}

@test "the option reference and the lists of differences are those of the program" {
	python3 "$TOP/docs/generate" "$FATHOM" check
}

@test "the manual page has every option and scdoc takes it" {
	python3 "$TOP/docs/generate" "$FATHOM" man "$TOP/docs/fathom.1.scd.in" >fathom.1.scd
	grep -q '^\*rate\\_iops\*$' fathom.1.scd
	grep -q '^\*-o\*, \*--output=FILE\*$' fathom.1.scd
	run grep -n '@[A-Z_]*@' fathom.1.scd
	[ "$status" -eq 1 ]
	command -v scdoc >/dev/null || skip "scdoc is not installed"
	scdoc <fathom.1.scd >fathom.1
	grep -q '^.SH EXIT STATUS' fathom.1
}

@test "links in Markdown lead to files that are there" {
	bad=0
	while IFS=: read -r doc link; do
		[ -e "$(dirname "$doc")/$link" ] || { echo "$doc: $link"; bad=1; }
	done < <(cd "$TOP" && grep -roE --include='*.md' '\]\([^)# ]+' README.md CONTRIBUTING.md CHANGELOG.md docs examples \
		bench src completion | grep -v '://' | sed -E 's/\]\(//' | sed "s|^|$TOP/|")
	[ $bad -eq 0 ]
}

@test "Markdown and job files keep to 120 columns, but for tables" {
	python3 - "$TOP"/*.md "$TOP"/docs/*.md "$TOP"/examples/* "$TOP"/completion/*.md "$TOP"/src/*/README* <<'END'
import sys
long = [f"{name}:{at}: {len(line)} columns" for name in sys.argv[1:]
        for at, line in enumerate(open(name, encoding="utf-8").read().splitlines(), 1)
        if len(line) > 120 and not line.startswith("|")]
sys.exit("\n".join(long) or 0)
END
}

@test "make run interrupted reports what it has and cleans up" {
	FATHOM_RUN_SECONDS=60 timeout -s TERM 4 python3 "$TOP/scripts/first-run" "$FATHOM" >out 2>&1 || true
	rm out
	[ "$(ls)" = "bin
examples" ]
}
