// The little of node that the tests use.
declare module "node:test" {
  export function test(name: string, body: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(text: string, pattern: RegExp, message?: string): void;
    rejects(promise: Promise<unknown>, expected: (thrown: unknown) => boolean): Promise<void>;
  }
  const assert: Assert;
  export default assert;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "node:process" {
  export function cpuUsage(before?: { user: number; system: number }): { user: number; system: number };
}
