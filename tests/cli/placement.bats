#!/usr/bin/env bats
# Where and how workers run: hipri where the device cannot poll (refused or noticed), CPUs, nodes.
load lib

needs_device_without_polling() {
	local dev
	dev=$(basename "$(findmnt -no SOURCE -T .)")
	[ -e "/sys/class/block/$dev/queue/io_poll" ] || skip "the scratch folder is on no whole disk"
	[ "$(cat "/sys/class/block/$dev/queue/io_poll")" = 0 ] || skip "the disk of the scratch folder can poll"
	head -c 1M /dev/urandom >f
}

@test "io_uring with hipri on a device without poll queues is refused before any I/O" {
	needs_device_without_polling
	fathom --name=x --filename=f --size=1m --direct=1 --ioengine=io_uring --hipri
	[ "$rc" -eq 2 ]
	grep -q 'no poll queues.*poll_queues=N' err
}

@test "pvsync2 with hipri there is measured, and the report says that nothing was polled" {
	needs_device_without_polling
	fathom_json --name=x --filename=f --size=1m --direct=1 --ioengine=pvsync2 --hipri
	[ "$rc" -eq 0 ] || skip "no direct I/O here"
	! grep -q 'hipri' err || fail "said twice"
	[ "$(jq -c '.jobs[0].fathom.poll | [.asked, .active]' out)" = '[true,false]' ]
	[ "$(jq '[.jobs[0].fathom.verdict.findings[] | select(.code == "poll-inactive")] | length' out)" -eq 1 ]
	[ "$(jq -r '.jobs[0].fathom.verdict.verdict' out)" = invalid ]
}

@test "the same for a file that is still to be made, which is then not made" {
	needs_device_without_polling
	fathom --name=x --filename=new --size=1m --direct=1 --ioengine=io_uring --hipri
	[ "$rc" -eq 2 ]
	[ ! -e new ]
}

@test "the report says on which CPUs the workers were allowed to run" {
	cpus=$(taskset -pc $$ | sed 's/.*: //')
	first=${cpus%%[-,]*}
	fathom_json --name=x --ioengine=null --size=1m --cpus_allowed="$first"
	[ "$rc" -eq 0 ]
	[ "$(jq -r '.jobs[0].fathom.cpus' out)" = "$first" ]
}

@test "numa_cpu_nodes=device runs anywhere when the node of the device is unknown" {
	fathom_json --name=x --filename=new --size=1m --numa_cpu_nodes=device
	[ "$rc" -eq 0 ]
	[ -n "$(jq -r '.jobs[0].fathom.cpus' out)" ]
}
