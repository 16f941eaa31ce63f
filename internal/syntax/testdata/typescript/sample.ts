import type { Request } from "./http";

export interface User<T extends object = {}> {
  readonly id: number;
  name?: string;
  tags: Array<string | null>;
}

enum Level { Low = 1, High }

type Pick2<T, K extends keyof T> = { [P in K]: T[P] };

export abstract class Repo implements Closer {
  private cache = new Map<string, User>();
  constructor(protected readonly url: string) { super(); }

  async get(id: number): Promise<User | undefined> {
    const raw = (await fetch(`${this.url}/${id}`)) as unknown as Response;
    return <User>(await raw.json())!;
  }
}

function isUser(x: unknown): x is User {
  return typeof x === "object" && x !== null && "id" in x;
}
