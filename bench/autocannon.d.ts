/** Types of the part of autocannon that the benchmarks use. The package has no types. */
declare module "autocannon" {
  export interface AutocannonRequest {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  }
  interface Client {
    setRequests(requests: AutocannonRequest[]): void;
  }
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Seconds. */
    timeout: number;
    requests: AutocannonRequest[];
    setupClient?(client: Client): void;
  }
  interface Result {
    requests: { total: number };
    /** Seconds. */
    duration: number;
    errors: number;
    non2xx: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
