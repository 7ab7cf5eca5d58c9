/** A button that opens a list of choices in the browser's top layer. Arrow keys, Home, End, Escape and a click outside work. */
import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classes } from './classes.ts';
import styles from './Menu.module.css';

interface MenuItem {
  readonly key: string;
  readonly label: ReactNode;
  readonly hint?: string | undefined;
  /** Set for one of several: shows which one holds. */
  readonly isChecked?: boolean;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuItem[];
}

interface MenuProps {
  readonly name: string;
  readonly trigger: ReactNode;
  readonly groups: readonly MenuGroup[];
  readonly className?: string | undefined;
  readonly hasArrow?: boolean;
  readonly footer?: ReactNode;
  readonly isDisabled?: boolean;
}

const GAP = 4;
const EDGE = 8;

export function Menu({ name, trigger, groups, className, hasArrow = false, footer, isDisabled = false }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  function place(): void {
    const from = button.current?.getBoundingClientRect();
    const menu = list.current;
    if (from === undefined || menu === null) return;
    const { width, height } = menu.getBoundingClientRect();
    const below = from.bottom + GAP;
    const top = below + height <= innerHeight - EDGE ? below : Math.max(EDGE, from.top - GAP - height);
    menu.style.left = `${Math.max(EDGE, Math.min(from.left, innerWidth - width - EDGE))}px`;
    menu.style.top = `${top}px`;
  }

  function onToggle(event: { readonly newState: string }): void {
    const opens = event.newState === 'open';
    setOpen(opens);
    if (!opens) return;
    requestAnimationFrame(() => {
      place();
      const items = itemsIn(list.current);
      (items.find((one) => one.ariaChecked === 'true') ?? items[0])?.focus({ preventScroll: true });
    });
  }

  function close(): void {
    list.current?.hidePopover();
    button.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes(styles.trigger, className)}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={name}
        disabled={isDisabled}
      >
        <span className="visually-hidden">{name}</span>
        {trigger}
        {hasArrow && <ChevronDown size={12} className={styles.arrow} aria-hidden />}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={name}
        className={styles.menu}
        onToggle={onToggle}
        onKeyDown={(event) => moveFocus(event, list.current)}
      >
        {isOpen &&
          groups.map((group) => <Group key={group.title ?? group.items[0]?.key} group={group} onPick={close} />)}
        {isOpen && footer}
      </div>
    </>
  );
}

function Group({ group, onPick }: { readonly group: MenuGroup; readonly onPick: () => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group inside a menu is no fieldset
    <div role="group" aria-label={group.title} className={styles.group}>
      {group.title !== undefined && <div className={styles.title}>{group.title}</div>}
      {group.items.map((item) => (
        <Item
          key={item.key}
          item={item}
          onPress={() => {
            onPick();
            item.run();
          }}
        />
      ))}
    </div>
  );
}

function Item({ item, onPress }: { readonly item: MenuItem; readonly onPress: () => void }) {
  const common = {
    type: 'button',
    tabIndex: -1,
    disabled: item.isDisabled,
    className: classes(styles.item, item.isDangerous && styles.dangerous),
    onClick: onPress,
  } as const;
  const words = (
    <span className={styles.words}>
      <span className={styles.label}>{item.label}</span>
      {item.hint !== undefined && <span className={styles.hint}>{item.hint}</span>}
    </span>
  );
  if (item.isChecked === undefined) {
    return (
      <button role="menuitem" {...common}>
        {words}
      </button>
    );
  }
  return (
    <button role="menuitemradio" aria-checked={item.isChecked} {...common}>
      <span className={styles.check}>{item.isChecked && <Check size={14} aria-hidden />}</span>
      {words}
    </button>
  );
}

function itemsIn(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? [])];
}

function moveFocus(event: KeyboardEvent, menu: HTMLElement | null): void {
  const items = itemsIn(menu);
  const at = items.findIndex((one) => one.matches(':focus'));
  const next = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items[next]?.focus();
}
