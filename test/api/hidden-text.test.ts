/** Nothing a person cannot see reaches the model: the pinned version of Codex. */
import { hiddenSuite } from './hidden-stand.ts';

hiddenSuite();
