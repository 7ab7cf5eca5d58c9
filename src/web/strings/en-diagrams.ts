/** Words of the diagrams, which are loaded with the first one. */
export const EN_DIAGRAMS = {
  diagram: 'Diagram',
  showDiagram: 'Show diagram',
  showSource: 'Show source',
  drawing: 'Drawing…',
  noDiagram: 'This diagram cannot be drawn here.',
} as const;
