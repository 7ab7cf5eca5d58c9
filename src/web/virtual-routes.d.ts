/** Made by vite.config.ts from the contract's table. */
declare module 'virtual:routes' {
  import type { RouteId } from '../contract/routes.ts';
  export interface RouteRow {
    readonly method: string;
    readonly path: string;
    readonly query: readonly string[];
  }
  export const ROUTE_TABLE: Readonly<Record<RouteId, RouteRow>>;
}
