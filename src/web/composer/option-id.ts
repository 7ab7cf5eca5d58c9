/** The id of one offered suggestion, by which the message box names the chosen one. */
export const optionId = (id: string, at: number): string => `${id}-${at}`;
