/** Recent projects from the rows of the list. */
import { expect, test } from 'vitest';
import { recentProjects } from './recent-projects.ts';

const row = (cwd: string, active_at: string) => ({ cwd, active_at });

test('[PG201] recent projects: each directory once, by its newest conversation, however the rows are ordered', () => {
  const rows = [row('/a', '2026-01-01'), row('/b', '2026-01-03'), row('/a/', '2026-01-05'), row('', '2026-01-09')];
  expect(recentProjects(rows)).toEqual([
    { cwd: '/a', conversations: 2, active_at: '2026-01-05' },
    { cwd: '/b', conversations: 1, active_at: '2026-01-03' },
  ]);
  expect(recentProjects([row('/', '2026-01-01')])).toMatchObject([{ cwd: '/' }]);
});
