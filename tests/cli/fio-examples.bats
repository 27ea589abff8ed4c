#!/usr/bin/env bats
# The job files that come with fio (Debian package fio-examples): each is planned, or refused for a reason that names the
# option, the engine or what this machine lacks. The list is printed with the test.
# also: asan

load lib

EXAMPLES=/usr/share/doc/fio/examples

# What may stand in the way of a job file written for other machines, or for more than there is.
reasons() {
	cat <<-'END'
		option '[a-z_0-9-]+'( of (engine )?[a-z_0-9, ]+)? is not supported yet
		ioengine=[a-z_0-9-]+ is not supported yet
		unknown ioengine 'cpp_null'
		unknown option '[a-z_]+'; it may belong to the engine [a-z_]+, which is not supported yet
		directory=[a-z0-9/-]+ does not exist
		'/dev/[a-z0-9]+' does not exist
		numa_cpu_nodes: NUMA node [0-9]+ does not exist
		option '[a-z]+' needs a value
		option 'mem': invalid value 'cudamalloc'
	END
}

@test "every example of fio is planned, or refused for a reason that names something" {
	[ -d $EXAMPLES ] || skip "fio-examples is not installed"
	local job name unexplained=0 planned=0
	reasons >reasons
	for job in $EXAMPLES/*.fio; do
		name=$(basename "$job" .fio)
		fathom explain "$job"
		case $rc in
		0)
			planned=$((planned + 1))
			echo "$name: planned"
			;;
		1 | 2)
			echo "$name: $(grep ' error: ' err | grep -Eo "(option|ioengine=|directory=|unknown option|/dev/)[^;:]*" | sort -u | head -n 3 | tr '\n' ';')"
			if grep ' error: ' err | grep -Evf reasons; then unexplained=$((unexplained + 1)); fi
			;;
		*)
			echo "$name: status $rc"
			cat err
			unexplained=$((unexplained + 1))
			;;
		esac
	done >list
	sed 's/^/# /' list >&3
	cat list
	[ "$unexplained" -eq 0 ]
	[ "$planned" -ge 10 ] || fail "only $planned are planned"
	[ "$(find . -type f | sort | tr '\n' ' ')" = './err ./list ./out ./reasons ' ] || { find .; fail "files were made"; }
}
