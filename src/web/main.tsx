/** Mounts the page. */
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { createApp } from './state/app.ts';
import { applyTheme, readDevice } from './state/device.ts';
import { AppContext } from './state/use-app.ts';
import { CrashGuard } from './ui/CrashGuard.tsx';
import { registerWorker } from './ui/register-worker.ts';

applyTheme(readDevice().theme);
registerWorker();

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <CrashGuard>
      <AppContext value={createApp()}>
        <App />
      </AppContext>
    </CrashGuard>,
  );
}
