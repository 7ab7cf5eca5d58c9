/** Nothing a person cannot see reaches the model: Codex 0.166, which hands context over with tags. */
import { hiddenSuite } from '../api/hidden-stand.ts';

hiddenSuite(process.env.CODEX_COMPAT_BIN_166 ?? '');
