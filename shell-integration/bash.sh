# Start-up file of a bash in a Signalbox terminal: the user's own one, then marks around prompts, commands and their output.
# Needs bash 4.4 for PS0; an older one gets no marks and works all the same.
# The nonce proves that a mark is ours. It is read from a file, which is emptied, before anything else runs; no child inherits it.
# Each prompt names the nonce of the marks that follow it, so that one that leaked is soon worth nothing.

__sb_nonce=
__sb_rotates=
if [[ -n ${SIGNALBOX_NONCE_FILE-} ]]; then
  {
    IFS= read -r __sb_nonce
    IFS= read -r __sb_rotates
  } <"$SIGNALBOX_NONCE_FILE"
  : >|"$SIGNALBOX_NONCE_FILE"
  unset SIGNALBOX_NONCE_FILE
fi

if [[ -r ~/.bashrc ]]; then
  . ~/.bashrc
fi

# From here on: also for a nested shell, by `signalbox shell-init`.

# Into __sb_text: backslash, semicolon and what would end or break a sequence become \\ and \xHH.
__sb_escape() {
  local s=${1:0:65536}
  s=${s//'\'/'\\'}
  s=${s//';'/'\x3b'}
  s=${s//$'\n'/'\x0a'}
  s=${s//$'\r'/'\x0d'}
  s=${s//$'\e'/'\x1b'}
  s=${s//$'\a'/'\x07'}
  s=${s//$'\x18'/'\x18'}
  s=${s//$'\x1a'/'\x1a'}
  __sb_text=$s
}

# Into __sb_next: a nonce from the system's random numbers; empty where there are none, and then the old one stays.
__sb_fresh() {
  local __sb_hex=
  if ((BASH_VERSINFO[0] > 5 || (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1))) && [[ ${SRANDOM-} != "${SRANDOM-}" ]]; then
    printf -v __sb_hex '%08x%08x%08x%08x' "$SRANDOM" "$SRANDOM" "$SRANDOM" "$SRANDOM"
  else
    __sb_hex=$(command -p od -An -N16 -tx1 /dev/urandom 2>/dev/null)
    __sb_hex=${__sb_hex//[!0-9a-f]/}
  fi
  __sb_next=
  if ((${#__sb_hex} == 32)); then
    __sb_next=sbnonce_$__sb_hex
  fi
}

# Into __sb_entry and __sb_number: the newest line of the history and its number.
__sb_newest() {
  __sb_entry=$(HISTTIMEFORMAT='' builtin history 1 2>/dev/null)
  __sb_number=${__sb_entry#"${__sb_entry%%[! ]*}"}
  __sb_number=${__sb_number%%[!0-9]*}
}

# Runs in a subshell, after a command was read and before it runs. A history that did not grow does not hold the command.
# A trace of the user's (set -x) shows none of what we print.
__sb_before() {
  local - __sb_text='' __sb_entry __sb_number
  set +x
  __sb_newest
  if [[ -n $__sb_number && $__sb_number != "${__sb_known-}" ]]; then
    __sb_entry=${__sb_entry#*"$__sb_number"}
    __sb_escape "${__sb_entry:2}"
  fi
  printf '\e]633;E;%s;%s\a\e]133;C;%s\a' "$__sb_text" "$__sb_nonce" "$__sb_nonce" >/dev/tty
}

__sb_report() {
  local - __sb_text __sb_next= __sb_end=
  set +x
  if ((${__sb_ran:-0})); then
    __sb_end=$'\e]133;D;'$1\;$__sb_nonce$'\a'
  fi
  __sb_ran=0
  __sb_escape "$PWD"
  if [[ -n $__sb_rotates ]]; then
    __sb_fresh
  fi
  # At once: whoever waits for the end of the command finds the shell at its prompt.
  printf '%s\e]633;P;Cwd=%s;%s\a\e]133;A%s;%s\a' "$__sb_end" "$__sb_text" "$__sb_nonce" "${__sb_next:+;$__sb_next}" "$__sb_nonce" >/dev/tty
  if [[ -n $__sb_next ]]; then
    __sb_nonce=$__sb_next
  fi
  # Also where the user has every variable exported (set -a).
  declare -g +x __sb_nonce
}

# First of all that runs before the prompt, so that nothing has touched the exit code.
__sb_first() {
  local __sb_code=$?
  __sb_report "$__sb_code"
  __sb_reported=1
  return "$__sb_code"
}

# Last of all: others may have set the prompts anew, or taken the first part away.
__sb_last() {
  local __sb_code=$? __sb_entry __sb_number
  if [[ ${__sb_reported-} != 1 ]]; then
    __sb_report "$__sb_code"
  fi
  __sb_reported=0
  __sb_newest
  __sb_known=$__sb_number
  if shopt -q promptvars; then
    [[ $PS1 == *'${__sb_input-}'* ]] || PS1=$PS1'\[${__sb_input-}\]'
    [[ $PS2 == *'${__sb_input-}'* ]] || PS2='\[${__sb_more-}\]'$PS2'\[${__sb_input-}\]'
  fi
  [[ ${PS0-} == *__sb_before* ]] || PS0='${__sb_zero-}${__sb_zero:$((__sb_ran=1,0)):0}$(__sb_before)'${PS0-}
  return "$__sb_code"
}

if [[ -n $__sb_nonce ]] && ((BASH_VERSINFO[0] > 4 || (BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4))); then
  __sb_zero=
  __sb_ran=0
  __sb_input=$'\e]133;B;\a'
  __sb_more=$'\e]133;P;k=s;\a'
  if ((BASH_VERSINFO[0] > 5 || (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1))); then
    PROMPT_COMMAND=(__sb_first "${PROMPT_COMMAND[@]}" __sb_last)
  else
    PROMPT_COMMAND="__sb_first${PROMPT_COMMAND:+;$PROMPT_COMMAND};__sb_last"
  fi
fi
