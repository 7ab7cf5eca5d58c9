/** Turns the message box into a prompt and back. */
import { SquareChevronRight } from 'lucide-react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';

export function ShellModeToggle() {
  const isOn = useApp((state) => state.isShellMode);
  const hasConversation = useApp((state) => state.openId !== null);
  const { setShellMode } = useCommands();
  if (!hasConversation) return null;
  return (
    <Button
      tone="quiet"
      aria-pressed={isOn}
      icon={<SquareChevronRight size={16} />}
      name={en.shellMode.turnOn}
      title={isOn ? en.shellMode.turnOff : en.shellMode.turnOnHint}
      onClick={() => setShellMode(!isOn)}
    />
  );
}
