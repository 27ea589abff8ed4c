# Word completion as the shells would do it, with the scripts of the build.

setup() {
	scripts=$(dirname "$FATHOM")/../completion
	[ -e "$scripts/fathom" ] || skip "this build makes no completion"
	cd "$BATS_TEST_TMPDIR"
	touch a.fio README
	mkdir folder
}

# bash_says LINE: what bash would offer at the end of LINE.
bash_says() {
	bash -c '. "$1"
		COMP_LINE=$2 COMP_POINT=${#2}
		read -ra COMP_WORDS <<<"$2"
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		[[ $2 != *" " ]] || COMP_CWORD=$((COMP_CWORD + 1))
		_fathom
		printf "%s\n" "${COMPREPLY[@]}"' _ "$scripts/fathom" "$1" | sort | tr '\n' ' '
}

@test "bash completes names, words, values of --set, engines, files and commands" {
	[ "$(bash_says 'fathom --rwm')" = '--rwmixread= --rwmixwrite= ' ]
	[ "$(bash_says 'fathom --group_')" = '--group_reporting ' ]
	[ "$(bash_says 'fathom --rw=randt')" = 'randtrim randtrimwrite ' ]
	[ "$(bash_says 'fathom --set exit_what=')" = 'all group stonewall ' ]
	[ "$(bash_says 'fathom --set=iodepth_b')" = 'iodepth_batch= iodepth_batch_complete_max= iodepth_batch_complete_min= ' ]
	[ "$(bash_says 'fathom --enghelp=pv')" = 'pvsync pvsync2 ' ]
	[ "$(bash_says 'fathom --cmdhelp=rate_p')" = 'rate_process ' ]
	[ "$(bash_says 'fathom --output=R')" = 'README ' ]
	[ "$(bash_says 'fathom --directory=')" = 'folder ' ]
	[ "$(bash_says 'fathom explain a')" = 'a.fio ' ]
	[ "$(bash_says 'fathom eng')" = 'engines ' ]
	[ "$(bash_says 'fathom --eta=')" = 'always auto never ' ]
}

@test "every command is completed in each shell and stands in the manual page" {
	commands=$("$FATHOM" options --completion | grep -v '^--')
	[[ $commands == *explain* ]]
	for word in $commands; do
		for script in fathom _fathom fathom.fish; do
			grep -qE "\brun( [a-z]+)* $word\b|\b$word explain" "$scripts/$script" || { echo "$script: $word"; return 1; }
		done
		grep -qE "^\*$word\*$" "$TOP/docs/fathom.1.scd.in" || { echo "manual: $word"; return 1; }
	done
}

@test "fish completes the same words" {
	command -v fish >/dev/null || skip "fish is not installed"
	HOME=$PWD run fish -c "source $scripts/fathom.fish; complete -C 'fathom --rw=randt'; complete -C 'fathom eng'"
	[ "$status" -eq 0 ]
	[ "$(echo "$output" | tr '\n' ' ')" = '--rw=randtrim --rw=randtrimwrite engines ' ]
}

@test "the script for zsh has every option and no mistake that zsh can see" {
	for option in rw ioengine sim_latency set; do
		grep -q -- "^--$option=" "$scripts/_fathom"
	done
	command -v zsh >/dev/null || skip "zsh is not installed"
	zsh -n "$scripts/_fathom"
}
