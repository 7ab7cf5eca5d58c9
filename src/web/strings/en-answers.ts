/** Words of the card that keeps the questions of Codex and their answers. */
export const EN_ANSWERS = {
  head: {
    accepted: 'Codex asked, and you answered',
    declined: 'Codex asked, and got no answer',
    cancelled: 'Codex asked, and the turn was stopped',
    expired: 'Codex asked, and needed no answer any more',
  },
  unknown: 'Answered in another program: the answer is not known here.',
  secret: 'A secret. Codex has it; the transcript does not keep it.',
} as const;
