import * as Radix from "@radix-ui/react-switch";

/** On/off switch. `label` is its accessible name. */
export function Switch({
  label,
  isOn,
  isBusy = false,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly isBusy?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <Radix.Root
      aria-label={label}
      checked={isOn}
      aria-busy={isBusy || undefined}
      onCheckedChange={(next) => !isBusy && onChange(next)}
      className="relative h-7 w-12 shrink-0 rounded-full border border-muted bg-line motion-safe:transition-colors data-[state=checked]:border-leather data-[state=checked]:bg-leather"
    >
      <Radix.Thumb className="block size-5 translate-x-0.5 rounded-full bg-paper ring-1 ring-muted motion-safe:transition-transform data-[state=checked]:translate-x-[1.45rem]" />
    </Radix.Root>
  );
}
