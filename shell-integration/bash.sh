# Start-up file of a bash in a Signalbox terminal: the user's own one, then marks around prompts, commands and their output.
# Needs bash 4.4 for PS0; an older one gets no marks and works all the same.
# The nonce proves that a mark is ours. It is read from a file before anything else runs, and no child inherits it.

__sb_nonce=
if [[ -n ${SIGNALBOX_NONCE_FILE-} ]]; then
  IFS= read -r __sb_nonce <"$SIGNALBOX_NONCE_FILE"
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

# Into __sb_entry and __sb_number: the newest line of the history and its number.
__sb_newest() {
  __sb_entry=$(HISTTIMEFORMAT='' builtin history 1 2>/dev/null)
  __sb_number=${__sb_entry#"${__sb_entry%%[! ]*}"}
  __sb_number=${__sb_number%%[!0-9]*}
}

# Runs in a subshell, after a command was read and before it runs. A history that did not grow does not hold the command.
__sb_before() {
  local __sb_text='' __sb_entry __sb_number
  __sb_newest
  if [[ -n $__sb_number && $__sb_number != "${__sb_known-}" ]]; then
    __sb_entry=${__sb_entry#*"$__sb_number"}
    __sb_escape "${__sb_entry:2}"
  fi
  printf '\e]633;E;%s;%s\a\e]133;C;%s\a' "$__sb_text" "$__sb_nonce" "$__sb_nonce" >/dev/tty
}

__sb_report() {
  local __sb_text
  if ((${__sb_ran:-0})); then
    printf '\e]133;D;%s;%s\a' "$1" "$__sb_nonce" >/dev/tty
  fi
  __sb_ran=0
  __sb_escape "$PWD"
  printf '\e]633;P;Cwd=%s;%s\a\e]133;A;%s\a' "$__sb_text" "$__sb_nonce" "$__sb_nonce" >/dev/tty
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
  __sb_input=$'\e]133;B;'$__sb_nonce$'\a'
  __sb_more=$'\e]133;P;k=s;'$__sb_nonce$'\a'
  if ((BASH_VERSINFO[0] > 5 || (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1))); then
    PROMPT_COMMAND=(__sb_first "${PROMPT_COMMAND[@]}" __sb_last)
  else
    PROMPT_COMMAND="__sb_first${PROMPT_COMMAND:+;$PROMPT_COMMAND};__sb_last"
  fi
fi
