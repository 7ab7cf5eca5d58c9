/** Mounts the page. */
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import type { WaitingLogin } from '../contract/routes-session.ts';
import { App } from './App.tsx';
import { createApp } from './state/app.ts';
import { arriveByLink } from './state/arrive.ts';
import { pageSession } from './state/page-session.ts';
import { AppContext } from './state/use-app.ts';
import { CrashGuard } from './ui/CrashGuard.tsx';
import { lazyPart, preloadParts } from './ui/lazy-part.tsx';
import { registerWorker } from './ui/register-worker.ts';

const LoginWaiting = lazyPart((later) => later.LoginWaiting);
const LoginFailed = lazyPart((later) => later.LoginFailed);

registerWorker();
preloadParts();

const root = document.getElementById('root');
if (root !== null) {
  const page = createRoot(root);
  const showWaiting = (waiting: WaitingLogin) =>
    page.render(
      <CrashGuard>
        <LoginWaiting waiting={waiting} />
      </CrashGuard>,
    );
  void arriveByLink(pageSession, showWaiting).then((problem) =>
    page.render(
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
