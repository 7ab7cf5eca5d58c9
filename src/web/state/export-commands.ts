/** Exporting a conversation from the page. */
import type { ConversationId } from '../../contract/ids.ts';
import type { Format } from '../../core/export/render-formats.ts';
import { en } from '../strings/en.ts';
import type { CommandPorts } from './command-ports.ts';

export interface ExportCommands {
  exportConversation(id: ConversationId, format: Format): Promise<void>;
}

export function createExportCommands({ call, said, toast }: CommandPorts): ExportCommands {
  return {
    exportConversation: async (id, format) => {
      const { saveExport } = await import('../export/save-export.ts');
      const name = await said(saveExport(call, id, format));
      if (name !== null) toast({ text: en.exports.saved(name), tone: 'plain' });
    },
  };
}
