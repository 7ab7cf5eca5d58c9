/** A bug in one component must not leave a blank page without a word. */
import { Component, type ReactNode } from 'react';
import { en } from '../strings/en.ts';
import { Button } from './Button.tsx';
import { FullPage } from './FullPage.tsx';

interface CrashGuardProps {
  readonly children: ReactNode;
}

export class CrashGuard extends Component<CrashGuardProps, { readonly isCrashed: boolean }> {
  override state = { isCrashed: false };

  static getDerivedStateFromError() {
    return { isCrashed: true };
  }

  override render(): ReactNode {
    if (!this.state.isCrashed) return this.props.children;
    return (
      <FullPage title={en.crash.title} text={en.crash.text}>
        <Button tone="primary" onClick={() => location.reload()}>
          {en.crash.reload}
        </Button>
      </FullPage>
    );
  }
}
