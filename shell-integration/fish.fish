# Sourced by a fish in a Signalbox terminal, after the user's own configuration: marks around prompts, commands and their output.
# The nonce proves that a mark is ours; its file is emptied at once, and no child inherits it. Each prompt names the nonce of the marks
# that follow it, so that one that leaked is soon worth nothing.

set -g __sb_nonce ''
set -g __sb_rotates ''
if set -q SIGNALBOX_NONCE_FILE
    begin
        read -g __sb_nonce
        read -g __sb_rotates
    end <$SIGNALBOX_NONCE_FILE
    printf '' >$SIGNALBOX_NONCE_FILE
    set -e SIGNALBOX_NONCE_FILE
end

# From here on: also for a nested shell, by `signalbox shell-init`.

# Backslash, semicolon and what would end or break a sequence become \\ and \xHH.
function __sb_escape
    string sub -l 65536 -- "$argv[1]" | string collect -N \
        | string replace -a '\\' '\\\\' | string replace -a ';' '\\x3b' | string replace -a \r '\\x0d' \
        | string replace -a \e '\\x1b' | string replace -a \a '\\x07' \
        | string replace -a \x18 '\\x18' | string replace -a \x1a '\\x1a' | string join '\\x0a'
end

# A nonce from the system's random numbers; nothing where there are none, and then the old one stays.
function __sb_fresh
    test -n "$__sb_rotates"; or return
    for od in /usr/bin/od /bin/od
        test -x $od; or continue
        set -l hex ($od -An -N16 -tx1 /dev/urandom 2>/dev/null | string replace -ra '[^0-9a-f]' '' | string join '')
        string match -rq '^[0-9a-f]{32}$' -- "$hex"; and echo sbnonce_$hex
        return
    end
end

function __sb_prompt --on-event fish_prompt
    test -n "$__sb_next"; or set -gu __sb_next (__sb_fresh)
    printf '\e]633;P;Cwd=%s;%s\a\e]133;A%s;%s\a' (__sb_escape $PWD) $__sb_nonce (string replace -r '^' ';' -- $__sb_next | string collect -a) $__sb_nonce >/dev/tty
    test -n "$__sb_next"; and set -gu __sb_nonce $__sb_next
    set -gu __sb_next
end

# A line of spaces is a command to fish, and to nobody else.
function __sb_preexec --on-event fish_preexec
    set -g __sb_ran 0
    test -n (string trim -- "$argv[1]" | string collect); or return
    set -g __sb_ran 1
    printf '\e]633;E;%s;%s\a\e]133;C;%s\a' (__sb_escape $argv[1] | string collect) $__sb_nonce $__sb_nonce >/dev/tty
end

function __sb_postexec --on-event fish_postexec
    set -l code $status
    if test "$__sb_ran" = 1
        # Before the end of the command is told, so that the prompt follows it at once.
        set -gu __sb_next (__sb_fresh)
        printf '\e]133;D;%s;%s\a' $code $__sb_nonce >/dev/tty
    end
end

if test -z "$__sb_nonce"
    functions -e __sb_prompt __sb_preexec __sb_postexec
end
