# Sourced by a fish in a Signalbox terminal, after the user's own configuration: marks around prompts, commands and their output.
# The nonce proves that a mark is ours; no child inherits it.

set -g __sb_nonce ''
if set -q SIGNALBOX_NONCE_FILE
    read -g __sb_nonce <$SIGNALBOX_NONCE_FILE
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

function __sb_prompt --on-event fish_prompt
    printf '\e]633;P;Cwd=%s;%s\a\e]133;A;%s\a' (__sb_escape $PWD) $__sb_nonce $__sb_nonce >/dev/tty
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
        printf '\e]133;D;%s;%s\a' $code $__sb_nonce >/dev/tty
    end
end

if test -z "$__sb_nonce"
    functions -e __sb_prompt __sb_preexec __sb_postexec
end
