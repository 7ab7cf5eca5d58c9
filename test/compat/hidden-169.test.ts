/** Nothing a person cannot see reaches the model: Codex 0.169, which hands context over as results of tools, without tags. */
import { hiddenSuite } from '../api/hidden-stand.ts';

hiddenSuite(process.env.CODEX_COMPAT_BIN_169 ?? '');
