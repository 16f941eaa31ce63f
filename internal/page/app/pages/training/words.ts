/** How a training's size and method are written. */
import { count } from "../../kit";

/** A number of weights in short: 0.92M. */
export function parameters(n: number): string {
  return n < 10_000 ? count(n) : (n / 1e6).toFixed(2) + "M";
}

const names: { [method: string]: string } = { sft: "imitation (sft)", grpo: "reward (grpo)", dpo: "preferences (dpo)" };

/** A method in words. */
export function methodName(method: string): string {
  return names[method] ?? method;
}
