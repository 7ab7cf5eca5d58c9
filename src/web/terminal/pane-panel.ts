/** What is open above the screen. */
export type PanePanel = 'none' | 'find' | 'commands';
