/** Mounts the page. */
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { LoginFailed } from './account/LoginFailed.tsx';
import { createApp } from './state/app.ts';
import { arriveByLink } from './state/arrive.ts';
import { applyTheme, readDevice } from './state/device.ts';
import { pageSession } from './state/page-session.ts';
import { AppContext } from './state/use-app.ts';
import { CrashGuard } from './ui/CrashGuard.tsx';
import { registerWorker } from './ui/register-worker.ts';

applyTheme(readDevice().theme);
registerWorker();

const root = document.getElementById('root');
if (root !== null) {
  void arriveByLink(pageSession).then((problem) =>
    createRoot(root).render(
      <CrashGuard>
        {problem === null ? (
          <AppContext value={createApp()}>
            <App />
          </AppContext>
        ) : (
          <LoginFailed problem={problem} />
        )}
      </CrashGuard>,
    ),
  );
}
