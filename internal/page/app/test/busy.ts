import { cpuUsage } from "node:process";

/** Milliseconds that the processor worked on something: the clock would also count what others do on this machine. */
export function busy(work: () => void): number {
  const before = cpuUsage();
  work();
  const used = cpuUsage(before);
  return (used.user + used.system) / 1000;
}
