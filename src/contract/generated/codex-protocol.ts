/**
 * The types of Codex 0.169.0 that we use or show (core/codex/dispositions.ts), on one flat page.
 * Written by `npm run generate`; do not edit. A `Core…` type is one whose plain name has another meaning in v2.
 */
export interface CodexNotificationParams {
  'account/login/completed': AccountLoginCompletedNotification;
  'account/rateLimits/updated': AccountRateLimitsUpdatedNotification;
  'account/updated': AccountUpdatedNotification;
  configWarning: ConfigWarningNotification;
  error: ErrorNotification;
  guardianWarning: GuardianWarningNotification;
  'item/agentMessage/delta': AgentMessageDeltaNotification;
  'item/commandExecution/outputDelta': CommandExecutionOutputDeltaNotification;
  'item/commandExecution/terminalInteraction': TerminalInteractionNotification;
  'item/completed': ItemCompletedNotification;
  'item/fileChange/patchUpdated': FileChangePatchUpdatedNotification;
  'item/mcpToolCall/progress': McpToolCallProgressNotification;
  'item/plan/delta': PlanDeltaNotification;
  'item/reasoning/summaryTextDelta': ReasoningSummaryTextDeltaNotification;
  'item/reasoning/textDelta': ReasoningTextDeltaNotification;
  'item/started': ItemStartedNotification;
  'mcpServer/startupStatus/updated': McpServerStatusUpdatedNotification;
  'model/rerouted': ModelReroutedNotification;
  'serverRequest/resolved': ServerRequestResolvedNotification;
  'thread/archived': ThreadArchivedNotification;
  'thread/closed': ThreadClosedNotification;
  'thread/deleted': ThreadDeletedNotification;
  'thread/settings/updated': ThreadSettingsUpdatedNotification;
  'thread/started': ThreadStartedNotification;
  'thread/status/changed': ThreadStatusChangedNotification;
  'thread/tokenUsage/updated': ThreadTokenUsageUpdatedNotification;
  'thread/unarchived': ThreadUnarchivedNotification;
  'turn/completed': TurnCompletedNotification;
  'turn/diff/updated': TurnDiffUpdatedNotification;
  'turn/plan/updated': TurnPlanUpdatedNotification;
  'turn/started': TurnStartedNotification;
  warning: WarningNotification;
}

export interface CodexServerRequests {
  'account/chatgptAuthTokens/refresh': {
    params: ChatgptAuthTokensRefreshParams;
    response: ChatgptAuthTokensRefreshResponse;
  };
  applyPatchApproval: { params: ApplyPatchApprovalParams; response: ApplyPatchApprovalResponse };
  'attestation/generate': { params: AttestationGenerateParams; response: AttestationGenerateResponse };
  'currentTime/read': { params: CurrentTimeReadParams; response: CurrentTimeReadResponse };
  execCommandApproval: { params: ExecCommandApprovalParams; response: ExecCommandApprovalResponse };
  'item/commandExecution/requestApproval': {
    params: CommandExecutionRequestApprovalParams;
    response: CommandExecutionRequestApprovalResponse;
  };
  'item/fileChange/requestApproval': {
    params: FileChangeRequestApprovalParams;
    response: FileChangeRequestApprovalResponse;
  };
  'item/permissions/requestApproval': {
    params: PermissionsRequestApprovalParams;
    response: PermissionsRequestApprovalResponse;
  };
  'item/tool/call': { params: DynamicToolCallParams; response: DynamicToolCallResponse };
  'item/tool/requestUserInput': { params: ToolRequestUserInputParams; response: ToolRequestUserInputResponse };
  'mcpServer/elicitation/request': {
    params: McpServerElicitationRequestParams;
    response: McpServerElicitationRequestResponse;
  };
}

export interface CodexClientRequests {
  'account/login/cancel': { params: CancelLoginAccountParams; response: CancelLoginAccountResponse };
  'account/login/start': { params: LoginAccountParams; response: LoginAccountResponse };
  'account/logout': { params: undefined; response: LogoutAccountResponse };
  'account/rateLimits/read': { params: GetAccountRateLimitsParams | undefined; response: GetAccountRateLimitsResponse };
  'account/read': { params: GetAccountParams; response: GetAccountResponse };
  'collaborationMode/list': { params: CollaborationModeListParams; response: CollaborationModeListResponse };
  'command/exec': { params: CommandExecParams; response: CommandExecResponse };
  'config/read': { params: ConfigReadParams; response: ConfigReadResponse };
  initialize: { params: InitializeParams; response: InitializeResponse };
  'mcpServerStatus/list': { params: ListMcpServerStatusParams; response: ListMcpServerStatusResponse };
  'model/list': { params: ModelListParams; response: ModelListResponse };
  'review/start': { params: ReviewStartParams; response: ReviewStartResponse };
  'server/diagnostics': { params: ServerDiagnosticsParams; response: ServerDiagnosticsResponse };
  'skills/list': { params: SkillsListParams; response: SkillsListResponse };
  'thread/archive': { params: ThreadArchiveParams; response: ThreadArchiveResponse };
  'thread/backgroundTerminals/clean': {
    params: ThreadBackgroundTerminalsCleanParams;
    response: ThreadBackgroundTerminalsCleanResponse;
  };
  'thread/backgroundTerminals/list': {
    params: ThreadBackgroundTerminalsListParams;
    response: ThreadBackgroundTerminalsListResponse;
  };
  'thread/backgroundTerminals/terminate': {
    params: ThreadBackgroundTerminalsTerminateParams;
    response: ThreadBackgroundTerminalsTerminateResponse;
  };
  'thread/compact/start': { params: ThreadCompactStartParams; response: ThreadCompactStartResponse };
  'thread/delete': { params: ThreadDeleteParams; response: ThreadDeleteResponse };
  'thread/fork': { params: ThreadForkParams; response: ThreadForkResponse };
  'thread/inject_items': { params: ThreadInjectItemsParams; response: ThreadInjectItemsResponse };
  'thread/items/list': { params: ThreadItemsListParams; response: ThreadItemsListResponse };
  'thread/list': { params: ThreadListParams; response: ThreadListResponse };
  'thread/loaded/list': { params: ThreadLoadedListParams; response: ThreadLoadedListResponse };
  'thread/name/set': { params: ThreadSetNameParams; response: ThreadSetNameResponse };
  'thread/read': { params: ThreadReadParams; response: ThreadReadResponse };
  'thread/resume': { params: ThreadResumeParams; response: ThreadResumeResponse };
  'thread/revert': { params: ThreadRevertParams; response: ThreadRevertResponse };
  'thread/search': { params: ThreadSearchParams; response: ThreadSearchResponse };
  'thread/settings/update': { params: ThreadSettingsUpdateParams; response: ThreadSettingsUpdateResponse };
  'thread/shellCommand': { params: ThreadShellCommandParams; response: ThreadShellCommandResponse };
  'thread/start': { params: ThreadStartParams; response: ThreadStartResponse };
  'thread/turns/list': { params: ThreadTurnsListParams; response: ThreadTurnsListResponse };
  'thread/unarchive': { params: ThreadUnarchiveParams; response: ThreadUnarchiveResponse };
  'thread/unsubscribe': { params: ThreadUnsubscribeParams; response: ThreadUnsubscribeResponse };
  'turn/interrupt': { params: TurnInterruptParams; response: TurnInterruptResponse };
  'turn/start': { params: TurnStartParams; response: TurnStartResponse };
  'turn/steer': { params: TurnSteerParams; response: TurnSteerResponse };
}

export type AbsolutePathBuf = string;
export type Account =
  | {
      type: 'apiKey';
    }
  | {
      type: 'chatgpt';
      email: string | null;
      planType: PlanType;
      workspaceName: string | null;
    }
  | {
      type: 'amazonBedrock';
      usesCodexManagedCredentials: boolean;
    }
  | {
      type: 'gcp';
    };
export type AccountLoginCompletedNotification = {
  loginId: string | null;
  success: boolean;
  error: string | null;
  onboardingEntrypoint: DesktopOnboardingEntrypoint | null;
};
export type AccountRateLimitsUpdatedNotification = {
  rateLimits: RateLimitSnapshot;
};
export type AccountRoutingOverride = 'NO_CONSTRAINT' | 'us' | 'us_cr';
export type AccountUpdatedNotification = {
  authMode: AuthMode | null;
  planType: PlanType | null;
};
export type ActivePermissionProfile = {
  id: string;
  extends: string | null;
};
export type AdditionalContextEntry = {
  value: string;
  kind: AdditionalContextKind;
  name?: string | null;
};
export type AdditionalContextKind = 'untrusted' | 'application';
export type AdditionalFileSystemPermissions = {
  read: Array<LegacyAppPathString> | null;
  write: Array<LegacyAppPathString> | null;
  globScanMaxDepth?: number;
  entries?: Array<FileSystemSandboxEntry>;
};
export type AdditionalNetworkPermissions = {
  enabled: boolean | null;
};
export type AdditionalPermissionProfile = {
  network: AdditionalNetworkPermissions | null;
  fileSystem: AdditionalFileSystemPermissions | null;
};
export type AgentMessageDelivery = 'async';
export type AgentMessageDeltaNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
};
export type AgentMessageDisplay = {
  action: string;
  blockType: string | null;
  cyberTrustedAccess: boolean | null;
  checkTrustedContacts: boolean | null;
};
export type AgentMessageInputContent =
  | {
      type: 'input_text';
      text: string;
    }
  | {
      type: 'encrypted_content';
      encrypted_content: string;
    };
export type AgentMessageModeration = {
  moderated: boolean;
  display: AgentMessageDisplay | null;
};
export type AgentPath = string;
export type AllowDenyRequirement = 'allow' | 'deny';
export type AnalyticsConfig = {
  enabled: boolean | null;
} & {
  [key in string]?:
    | number
    | string
    | boolean
    | Array<JsonValue>
    | {
        [key in string]?: JsonValue;
      }
    | null;
};
export type AppLinksConfig = {
  [key in string]?: {
    approvals_reviewer: ApprovalsReviewer | null;
    default_tools_approval_mode: AppToolApproval | null;
  };
};
export type AppToolApproval = 'auto' | 'prompt' | 'writes' | 'approve';
export type AppToolsConfig = {
  [key in string]?: {
    enabled: boolean | null;
    approval_mode: AppToolApproval | null;
  };
};
export type ApplyPatchApprovalParams = {
  conversationId: ThreadId;
  callId: string;
  fileChanges: {
    [key in string]?: FileChange;
  };
  reason: string | null;
  grantRoot: string | null;
};
export type ApplyPatchApprovalResponse = {
  decision: ReviewDecision;
};
export type ApprovalsReviewer = 'user' | 'auto_review' | 'guardian_subagent';
export type AppsConfig = {
  _default: AppsDefaultConfig | null;
} & {
  [key in string]?: {
    enabled: boolean;
    omit_tools_from: Array<ToolExposureSurface> | null;
    approvals_reviewer: ApprovalsReviewer | null;
    destructive_enabled: boolean | null;
    open_world_enabled: boolean | null;
    default_tools_approval_mode: AppToolApproval | null;
    default_tools_enabled: boolean | null;
    tools: AppToolsConfig | null;
    links: AppLinksConfig | null;
  };
};
export type AppsDefaultConfig = {
  enabled: boolean;
  approvals_reviewer: ApprovalsReviewer | null;
  destructive_enabled: boolean;
  open_world_enabled: boolean;
  default_tools_approval_mode: AppToolApproval | null;
};
export type AskForApproval =
  | 'untrusted'
  | 'on-request'
  | {
      granular: {
        sandbox_approval: boolean;
        rules: boolean;
        skill_approval: boolean;
        request_permissions: boolean;
        mcp_elicitations: boolean;
      };
    }
  | 'never';
export type AsyncUserInputQuestion = {
  title: string;
  options: Array<string> | null;
};
export type AttestationGenerateParams = Record<string, never>;
export type AttestationGenerateResponse = {
  token: string;
};
export type AuthMode =
  | 'apikey'
  | 'chatgpt'
  | 'chatgptAuthTokens'
  | 'headers'
  | 'agentIdentity'
  | 'personalAccessToken'
  | 'bedrockApiKey'
  | 'bedrockAccessKeys';
export type AutoCompactTokenLimitScope = 'total' | 'body_after_prefix';
export type BrowserUseConfig = {
  allow_history_access: boolean | null;
  default_origin_policy: BrowserUseOriginPolicyConfig | null;
  origins:
    | {
        [key in string]?: BrowserUseOriginPolicyConfig;
      }
    | null;
};
export type BrowserUseOriginPolicyConfig = {
  access: AllowDenyRequirement | null;
  downloads: AllowDenyRequirement | null;
  uploads: AllowDenyRequirement | null;
  full_cdp_access: AllowDenyRequirement | null;
};
export type ByteRange = {
  start: number;
  end: number;
};
export type CancelLoginAccountParams = {
  loginId: string;
};
export type CancelLoginAccountResponse = {
  status: CancelLoginAccountStatus;
};
export type CancelLoginAccountStatus = 'canceled' | 'notFound';
export type CapabilityRootLocation = {
  type: 'environment';
  environmentId: string;
  path: string;
};
export type ChatgptAuthTokensRefreshParams = {
  reason: ChatgptAuthTokensRefreshReason;
  previousAccountId?: string | null;
};
export type ChatgptAuthTokensRefreshReason = 'unauthorized';
export type ChatgptAuthTokensRefreshResponse = {
  accessToken: string;
  chatgptAccountId: string;
  chatgptPlanType: string | null;
};
export type ClientInfo = {
  name: string;
  title: string | null;
  version: string;
};
export type CodexErrorInfo =
  | 'contextWindowExceeded'
  | 'sessionBudgetExceeded'
  | 'usageLimitExceeded'
  | 'rateLimitExceeded'
  | 'flexUnavailable'
  | 'serverOverloaded'
  | 'modelNotFound'
  | 'policyCapacityUnavailable'
  | 'inferenceHookDenied'
  | 'cyberPolicy'
  | 'misalignmentPolicyViolation'
  | 'tooManyDenials'
  | {
      httpConnectionFailed: {
        httpStatusCode: number | null;
      };
    }
  | {
      responseStreamConnectionFailed: {
        httpStatusCode: number | null;
      };
    }
  | 'internalServerError'
  | 'unauthorized'
  | 'badRequest'
  | 'threadRollbackFailed'
  | 'sandboxError'
  | {
      responseStreamDisconnected: {
        httpStatusCode: number | null;
      };
    }
  | {
      responseTooManyFailedAttempts: {
        httpStatusCode: number | null;
      };
    }
  | {
      activeTurnNotSteerable: {
        turnKind: NonSteerableTurnKind;
      };
    }
  | 'other'
  | string
  | {
      [key: string]: unknown;
    };
export type CollabAgentState = {
  status: CollabAgentStatus;
  message: string | null;
};
export type CollabAgentStatus =
  | 'pendingInit'
  | 'running'
  | 'interrupted'
  | 'completed'
  | 'errored'
  | 'shutdown'
  | 'notFound';
export type CollabAgentTool =
  | 'spawnAgent'
  | 'sendInput'
  | 'resumeAgent'
  | 'wait'
  | 'closeAgent'
  | 'sendMessage'
  | 'followupTask'
  | 'interruptAgent'
  | 'listAgents';
export type CollabAgentToolCallStatus = 'inProgress' | 'completed' | 'failed' | 'interrupted';
export type CollaborationMode = {
  mode: ModeKind;
  settings: Settings;
};
export type CollaborationModeListParams = Record<string, never>;
export type CollaborationModeListResponse = {
  data: Array<CollaborationModeMask>;
};
export type CollaborationModeMask = {
  name: string;
  mode: ModeKind | null;
  model: string | null;
  reasoning_effort: ReasoningEffort | null | null;
};
export type CommandAction =
  | {
      type: 'read';
      command: string;
      name: string;
      path: LegacyAppPathString;
    }
  | {
      type: 'listFiles';
      command: string;
      path: string | null;
    }
  | {
      type: 'search';
      command: string;
      query: string | null;
      path: string | null;
    }
  | {
      type: 'unknown';
      command: string;
    };
export type CommandExecParams = {
  command: Array<string>;
  processId?: string | null;
  tty?: boolean;
  streamStdin?: boolean;
  streamStdoutStderr?: boolean;
  outputBytesCap?: number | null;
  disableOutputCap?: boolean;
  disableTimeout?: boolean;
  timeoutMs?: number | null;
  cwd?: string | null;
  env?:
    | {
        [key in string]?: string | null;
      }
    | null;
  size?: CommandExecTerminalSize | null;
  sandboxPolicy?: SandboxPolicy | null;
  permissionProfile?: string | null;
};
export type CommandExecResponse = {
  exitCode: number;
  stdout: string;
  stderr: string;
};
export type CommandExecTerminalSize = {
  rows: number;
  cols: number;
};
export type CommandExecutionApprovalDecision =
  | 'accept'
  | 'acceptForSession'
  | {
      acceptWithExecpolicyAmendment: {
        execpolicy_amendment: ExecPolicyAmendment;
      };
    }
  | {
      applyNetworkPolicyAmendment: {
        network_policy_amendment: NetworkPolicyAmendment;
      };
    }
  | 'decline'
  | 'cancel';
export type CommandExecutionApprovalKind = 'command' | 'humanCommand' | 'writeStdin';
export type CommandExecutionOutputDeltaNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
};
export type CommandExecutionRequestApprovalParams = {
  kind: CommandExecutionApprovalKind;
  threadId: string;
  turnId: string;
  itemId: string;
  startedAtMs: number;
  approvalId?: string | null;
  environmentId: string | null;
  reason?: string | null;
  networkApprovalContext?: NetworkApprovalContext | null;
  command?: string | null;
  cwd?: LegacyAppPathString | null;
  commandActions?: Array<CommandAction> | null;
  additionalPermissions?: AdditionalPermissionProfile | null;
  proposedExecpolicyAmendment?: ExecPolicyAmendment | null;
  proposedNetworkPolicyAmendments?: Array<NetworkPolicyAmendment> | null;
  availableDecisions?: Array<CommandExecutionApprovalDecision> | null;
};
export type CommandExecutionRequestApprovalResponse = {
  decision: CommandExecutionApprovalDecision;
};
export type CommandExecutionSource = 'agent' | 'userShell' | 'unifiedExecStartup' | 'unifiedExecInteraction';
export type CommandExecutionStatus = 'inProgress' | 'completed' | 'failed' | 'declined';
export type ComputerUseConfig = {
  default_app_access: AllowDenyRequirement | null;
  macos: ComputerUseMacosConfig | null;
  windows: ComputerUseWindowsConfig | null;
};
export type ComputerUseMacosConfig = {
  bundle_ids:
    | {
        [key in string]?: AllowDenyRequirement;
      }
    | null;
};
export type ComputerUseWindowsConfig = {
  aumids:
    | {
        [key in string]?: AllowDenyRequirement;
      }
    | null;
  exes: Array<ComputerUseWindowsExeConfig> | null;
};
export type ComputerUseWindowsExeConfig = {
  publisher_name: string;
  product_name: string;
  binary_name: string | null;
  access: AllowDenyRequirement;
};
export type Config = {
  model: string | null;
  review_model: string | null;
  model_context_window: number | null;
  model_auto_compact_token_limit: number | null;
  model_auto_compact_token_limit_scope: AutoCompactTokenLimitScope | null;
  model_provider: string | null;
  approval_policy: AskForApproval | null;
  approvals_reviewer: ApprovalsReviewer | null;
  sandbox_mode: SandboxMode | null;
  sandbox_workspace_write: SandboxWorkspaceWrite | null;
  forced_chatgpt_workspace_id: ForcedChatgptWorkspaceIds | null;
  forced_login_method: ForcedLoginMethod | null;
  web_search: WebSearchMode | null;
  client_search_provider: WebSearchProvider | null;
  tools: ToolsV2 | null;
  instructions: string | null;
  developer_instructions: string | null;
  compact_prompt: string | null;
  model_reasoning_effort: ReasoningEffort | null;
  model_reasoning_summary: ReasoningSummary | null;
  model_verbosity: Verbosity | null;
  service_tier: string | null;
  analytics: AnalyticsConfig | null;
  apps: AppsConfig | null;
  browser_use: BrowserUseConfig | null;
  computer_use: ComputerUseConfig | null;
  desktop:
    | {
        [key in string]?: JsonValue;
      }
    | null;
} & {
  [key in string]?:
    | number
    | string
    | boolean
    | Array<JsonValue>
    | {
        [key in string]?: JsonValue;
      }
    | null;
};
export type ConfigLayer = {
  name: ConfigLayerSource;
  version: string;
  config: JsonValue;
  disabledReason: string | null;
};
export type ConfigLayerMetadata = {
  name: ConfigLayerSource;
  version: string;
};
export type ConfigLayerSource =
  | {
      type: 'packagedDefaults';
      file: AbsolutePathBuf;
    }
  | {
      type: 'mdm';
      domain: string;
      key: string;
    }
  | {
      type: 'system';
      file: AbsolutePathBuf;
    }
  | {
      type: 'enterpriseManaged';
      id: string;
      name: string;
    }
  | {
      type: 'user';
      file: AbsolutePathBuf;
      profile: string | null;
    }
  | {
      type: 'project';
      dotCodexFolder: AbsolutePathBuf;
    }
  | {
      type: 'sessionFlags';
    }
  | {
      type: 'legacyManagedConfigTomlFromFile';
      file: AbsolutePathBuf;
    }
  | {
      type: 'legacyManagedConfigTomlFromMdm';
    };
export type ConfigReadParams = {
  includeLayers?: boolean;
  cwd?: string | null;
};
export type ConfigReadResponse = {
  config: Config;
  origins: {
    [key in string]?: ConfigLayerMetadata;
  };
  layers: Array<ConfigLayer> | null;
};
export type ConfigWarningNotification = {
  summary: string;
  details: string | null;
  path?: string;
  range?: TextRange;
};
export type ConfigurationReasoning = {
  effort: ReasoningEffort;
};
export type ContentItem =
  | {
      type: 'input_text';
      text: string;
    }
  | ({
      type: 'input_image';
      detail?: ImageDetail;
    } & (
      | {
          image_url: string;
        }
      | {
          file_id: string;
        }
    ))
  | ({
      type: 'input_audio';
    } & (
      | {
          audio_url: string;
        }
      | {
          file_id: string;
        }
    ))
  | {
      type: 'output_text';
      text: string;
      annotations?: unknown[];
      logprobs?: unknown[];
    };
export type CoreExecPolicyAmendment = Array<string>;
export type CoreNetworkPolicyAmendment = {
  host: string;
  action: CoreNetworkPolicyRuleAction;
};
export type CoreNetworkPolicyRuleAction = 'allow' | 'deny';
export type CoreWebSearchAction =
  | {
      type: 'search';
      query?: string;
      queries?: Array<string>;
    }
  | {
      type: 'open_page';
      url?: string;
    }
  | {
      type: 'find_in_page';
      url?: string;
      pattern?: string;
    }
  | {
      type: 'other';
    };
export type CreditsSnapshot = {
  hasCredits: boolean;
  unlimited: boolean;
  balance: string | null;
};
export type CurrentTimeReadParams = {
  threadId: string;
};
export type CurrentTimeReadResponse = {
  currentTimeAt: number;
};
export type CyberAccessProgram = 'standard' | 'daybreakBlue' | 'daybreakRed';
export type DesktopOnboardingEntrypoint = 'life_sciences';
export type DynamicToolCallOutputContentItem =
  | {
      type: 'inputText';
      text: string;
    }
  | {
      type: 'inputImage';
      imageUrl: string;
    }
  | {
      type: 'inputAudio';
      audioUrl: string;
    };
export type DynamicToolCallParams = {
  threadId: string;
  turnId: string;
  callId: string;
  namespace: string | null;
  tool: string;
  arguments: JsonValue;
};
export type DynamicToolCallResponse = {
  contentItems: Array<DynamicToolCallOutputContentItem>;
  success: boolean;
};
export type DynamicToolCallStatus = 'inProgress' | 'completed' | 'failed';
export type DynamicToolFunctionSpec = {
  name: string;
  description: string;
  inputSchema: JsonValue;
  deferLoading?: boolean;
};
export type DynamicToolNamespaceSpec = {
  name: string;
  description: string;
  tools: Array<DynamicToolNamespaceTool>;
};
export type DynamicToolNamespaceTool = {
  type: 'function';
} & DynamicToolFunctionSpec;
export type DynamicToolSpec =
  | ({
      type: 'function';
    } & DynamicToolFunctionSpec)
  | ({
      type: 'namespace';
    } & DynamicToolNamespaceSpec);
export type ErrorNotification = {
  error: TurnError;
  willRetry: boolean;
  threadId: string;
  turnId: string;
};
export type ExecCommandApprovalParams = {
  conversationId: ThreadId;
  callId: string;
  approvalId: string | null;
  command: Array<string>;
  cwd: string;
  reason: string | null;
  parsedCmd: Array<ParsedCommand>;
};
export type ExecCommandApprovalResponse = {
  decision: ReviewDecision;
};
export type ExecPolicyAmendment = Array<string>;
export type FileChange =
  | {
      type: 'add';
      content: string;
    }
  | {
      type: 'delete';
      content: string;
    }
  | {
      type: 'update';
      unified_diff: string;
      move_path: string | null;
    };
export type FileChangeApprovalDecision = 'accept' | 'acceptForSession' | 'decline' | 'cancel';
export type FileChangePatchUpdatedNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  changes: Array<FileUpdateChange>;
};
export type FileChangeRequestApprovalParams = {
  threadId: string;
  turnId: string;
  itemId: string;
  startedAtMs: number;
  reason?: string | null;
  grantRoot?: string | null;
};
export type FileChangeRequestApprovalResponse = {
  decision: FileChangeApprovalDecision;
};
export type FileSystemAccessMode = 'read' | 'write' | 'deny';
export type FileSystemPath =
  | {
      type: 'path';
      path: LegacyAppPathString;
    }
  | {
      type: 'glob_pattern';
      pattern: string;
    }
  | {
      type: 'special';
      value: FileSystemSpecialPath;
    };
export type FileSystemSandboxEntry = {
  path: FileSystemPath;
  access: FileSystemAccessMode;
};
export type FileSystemSpecialPath =
  | {
      kind: 'root';
    }
  | {
      kind: 'minimal';
    }
  | {
      kind: 'project_roots';
      subpath: LegacyAppPathString | null;
    }
  | {
      kind: 'tmpdir';
    }
  | {
      kind: 'slash_tmp';
    }
  | {
      kind: 'unknown';
      path: string;
      subpath: LegacyAppPathString | null;
    };
export type FileUpdateChange = {
  path: string;
  kind: PatchChangeKind;
  diff: string;
};
export type ForcedChatgptWorkspaceIds = string | Array<string>;
export type ForcedLoginMethod = 'chatgpt' | 'api';
export type FunctionCallOutputBody = string | Array<FunctionCallOutputContentItem>;
export type FunctionCallOutputContentItem =
  | {
      type: 'input_text';
      text: string;
    }
  | ({
      type: 'input_image';
      detail?: ImageDetail;
    } & (
      | {
          image_url: string;
        }
      | {
          file_id: string;
        }
    ))
  | ({
      type: 'input_audio';
    } & (
      | {
          audio_url: string;
        }
      | {
          file_id: string;
        }
    ))
  | {
      type: 'encrypted_content';
      encrypted_content: string;
    };
export type GetAccountParams = {
  refreshToken?: boolean;
};
export type GetAccountRateLimitsParams = {
  supportsLunaReserve?: boolean;
  excludeResetCreditDetails?: boolean;
};
export type GetAccountRateLimitsResponse = {
  ordinaryUsageAllowed: boolean | null;
  rateLimits: RateLimitSnapshot;
  rateLimitsByLimitId:
    | {
        [key in string]?: RateLimitSnapshot;
      }
    | null;
  rateLimitResetCredits: RateLimitResetCreditsSummary | null;
  accountId: string | null;
  rateLimitUpsell: JsonValue | null;
};
export type GetAccountResponse = {
  account: Account | null;
  userId: string | null;
  requiresOpenaiAuth: boolean;
  workspaceRouting: WorkspaceRouting | null;
};
export type GitInfo = {
  sha: string | null;
  branch: string | null;
  originUrl: string | null;
};
export type GrantedPermissionProfile = {
  network?: AdditionalNetworkPermissions;
  fileSystem?: AdditionalFileSystemPermissions;
};
export type GuardianWarningNotification = {
  threadId: string;
  message: string;
};
export type HookPromptFragment = {
  text: string;
  hookRunId: string;
};
export type ImageDetail = 'auto' | 'low' | 'high' | 'original';
export type ImageGenerationFailure = {
  type: 'usageLimitExceeded';
  limitId: string;
  resetsAt: number | null;
};
export type ImageGenerationInputImage = {
  path: AbsolutePathBuf;
  sha256: string;
};
export type ImageGenerationItem = {
  id: string;
  status: string;
  revisedPrompt: string | null;
  transparentBackground?: boolean;
  failure: ImageGenerationFailure | null;
  savedPath?: AbsolutePathBuf;
  inputImages?: Array<ImageGenerationInputImage>;
  generationId: string | null;
} & (
  | {
      fileId: string;
    }
  | {
      result: string;
    }
);
export type InitializeCapabilities = {
  requiredHumanApproval?: boolean;
  explicitGatewayOauth?: boolean;
  experimentalApi: boolean;
  requestAttestation: boolean;
  mcpServerOpenaiFormElicitation?: boolean;
  optOutNotificationMethods?: Array<string> | null;
  extensions?:
    | {
        [key in string]?: JsonValue;
      }
    | null;
};
export type InitializeParams = {
  clientInfo: ClientInfo;
  capabilities: InitializeCapabilities | null;
};
export type InitializeResponse = {
  userAgent: string;
  codexHome: AbsolutePathBuf;
  platformFamily: string;
  platformOs: string;
};
export type InputModality = 'text' | 'image' | 'audio';
export type InternalChatMessageMetadataPassthrough = {
  turn_id?: string;
};
export type ItemCompletedNotification = {
  item: ThreadItem;
  threadId: string;
  turnId: string;
  contentTokenCount?: number | null;
  completedAtMs: number;
};
export type ItemStartedNotification = {
  item: ThreadItem;
  threadId: string;
  turnId: string;
  startedAtMs: number;
};
export type JsonValue =
  | number
  | string
  | boolean
  | Array<JsonValue>
  | {
      [key in string]?: JsonValue;
    }
  | null;
export type LegacyAppPathString = string;
export type ListMcpServerStatusParams = {
  cursor?: string | null;
  limit?: number | null;
  detail?: McpServerStatusDetail | null;
  threadId?: string | null;
  serverName?: string | null;
};
export type ListMcpServerStatusResponse = {
  data: Array<McpServerStatus>;
  nextCursor: string | null;
};
export type LocalShellAction = {
  type: 'exec';
} & LocalShellExecAction;
export type LocalShellExecAction = {
  command: Array<string>;
  timeout_ms: number | null;
  working_directory: string | null;
  env:
    | {
        [key in string]?: string;
      }
    | null;
  user: string | null;
};
export type LocalShellStatus = 'completed' | 'in_progress' | 'incomplete';
export type LoginAccountParams =
  | {
      type: 'apiKey';
      apiKey: string;
    }
  | {
      type: 'chatgpt';
      codexStreamlinedLogin?: boolean;
      useHostedLoginSuccessPage?: boolean;
      appBrand?: LoginAppBrand | null;
    }
  | {
      type: 'chatgptDeviceCode';
    }
  | {
      type: 'chatgptAuthTokens';
      accessToken: string;
      chatgptAccountId: string;
      chatgptPlanType?: string | null;
    }
  | {
      type: 'amazonBedrock';
      apiKey: string;
      region: string;
    }
  | {
      type: 'amazonBedrockAccessKeys';
      accessKeyId: string;
      secretAccessKey: string;
      sessionToken?: string | null;
      region: string;
    };
export type LoginAccountResponse =
  | {
      type: 'apiKey';
    }
  | {
      type: 'chatgpt';
      loginId: string;
      authUrl: string;
    }
  | {
      type: 'chatgptDeviceCode';
      loginId: string;
      verificationUrl: string;
      userCode: string;
    }
  | {
      type: 'chatgptAuthTokens';
    }
  | {
      type: 'amazonBedrock';
    };
export type LoginAppBrand = 'codex' | 'chatgpt';
export type LogoutAccountResponse = Record<string, never>;
export type McpAppDisplayMode = 'inline' | 'fullscreen';
export type McpAppUi = {
  resourceUri: string;
  preferredModelDisplayMode: McpAppDisplayMode;
};
export type McpAuthStatus = 'unknown' | 'unsupported' | 'notLoggedIn' | 'bearerToken' | 'oAuth';
export type McpElicitationArrayType = 'array';
export type McpElicitationBooleanSchema = {
  type: McpElicitationBooleanType;
  title?: string;
  description?: string;
  default?: boolean;
};
export type McpElicitationBooleanType = 'boolean';
export type McpElicitationConstOption = {
  const: string;
  title: string;
};
export type McpElicitationEnumSchema =
  | McpElicitationSingleSelectEnumSchema
  | McpElicitationMultiSelectEnumSchema
  | McpElicitationLegacyTitledEnumSchema;
export type McpElicitationLegacyTitledEnumSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  enum: Array<string>;
  enumNames?: Array<string>;
  default?: string;
};
export type McpElicitationMultiSelectEnumSchema =
  | McpElicitationUntitledMultiSelectEnumSchema
  | McpElicitationTitledMultiSelectEnumSchema;
export type McpElicitationNumberSchema = {
  type: McpElicitationNumberType;
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
};
export type McpElicitationNumberType = 'number' | 'integer';
export type McpElicitationObjectType = 'object';
export type McpElicitationPrimitiveSchema =
  | McpElicitationEnumSchema
  | McpElicitationStringSchema
  | McpElicitationNumberSchema
  | McpElicitationBooleanSchema;
export type McpElicitationSchema = {
  $schema?: string;
  type: McpElicitationObjectType;
  properties: {
    [key in string]?: McpElicitationPrimitiveSchema;
  };
  required?: Array<string>;
};
export type McpElicitationSingleSelectEnumSchema =
  | McpElicitationUntitledSingleSelectEnumSchema
  | McpElicitationTitledSingleSelectEnumSchema;
export type McpElicitationStringFormat = 'email' | 'uri' | 'date' | 'date-time';
export type McpElicitationStringSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: McpElicitationStringFormat;
  default?: string;
};
export type McpElicitationStringType = 'string';
export type McpElicitationTitledEnumItems = {
  anyOf: Array<McpElicitationConstOption>;
};
export type McpElicitationTitledMultiSelectEnumSchema = {
  type: McpElicitationArrayType;
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: McpElicitationTitledEnumItems;
  default?: Array<string>;
};
export type McpElicitationTitledSingleSelectEnumSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  oneOf: Array<McpElicitationConstOption>;
  default?: string;
};
export type McpElicitationUntitledEnumItems = {
  type: McpElicitationStringType;
  enum: Array<string>;
};
export type McpElicitationUntitledMultiSelectEnumSchema = {
  type: McpElicitationArrayType;
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: McpElicitationUntitledEnumItems;
  default?: Array<string>;
};
export type McpElicitationUntitledSingleSelectEnumSchema = {
  type: McpElicitationStringType;
  title?: string;
  description?: string;
  enum: Array<string>;
  default?: string;
};
export type McpServerConnectionStatus =
  | 'notStarted'
  | 'starting'
  | 'connected'
  | 'authenticationRequired'
  | 'failed'
  | 'cancelled'
  | 'disabled';
export type McpServerElicitationAction = 'accept' | 'decline' | 'cancel';
export type McpServerElicitationRequestParams = {
  threadId: string;
  turnId: string | null;
  serverName: string;
} & (
  | {
      mode: 'openai/userVerification';
      _meta: JsonValue | null;
      title: string;
      description: string;
      challenge: string;
    }
  | {
      mode: 'form';
      _meta: JsonValue | null;
      message: string;
      requestedSchema: McpElicitationSchema;
    }
  | {
      mode: 'openai/form';
      _meta: JsonValue | null;
      message: string;
      requestedSchema: JsonValue;
    }
  | {
      mode: 'openaiForm';
      _meta: JsonValue | null;
      message: string;
      requestedSchema: JsonValue;
    }
  | {
      mode: 'url';
      _meta: JsonValue | null;
      message: string;
      url: string;
      elicitationId: string;
    }
);
export type McpServerElicitationRequestResponse = {
  action: McpServerElicitationAction;
  content: JsonValue | null;
  _meta: JsonValue | null;
};
export type McpServerInfo = {
  name: string;
  title: string | null;
  version: string;
  description: string | null;
  icons: Array<JsonValue> | null;
  websiteUrl: string | null;
};
export type McpServerStartupFailureReason = 'reauthenticationRequired';
export type McpServerStartupState = 'starting' | 'ready' | 'failed' | 'cancelled';
export type McpServerStatus = {
  name: string;
  runtimeStatus: McpServerConnectionStatus | null;
  pluginId: string | null;
  httpOrigin: string | null;
  serverInfo: McpServerInfo | null;
  serverCapabilities: JsonValue | null;
  toolListMeta: JsonValue | null;
  tools: {
    [key in string]?: Tool;
  };
  toolsError: string | null;
  resources: Array<Resource>;
  resourceTemplates: Array<ResourceTemplate>;
  authStatus: McpAuthStatus;
};
export type McpServerStatusDetail = 'full' | 'toolsAndAuthOnly';
export type McpServerStatusUpdatedNotification = {
  threadId: string | null;
  name: string;
  status: McpServerStartupState;
  error: string | null;
  failureReason: McpServerStartupFailureReason | null;
};
export type McpToolCallAppContext = {
  connectorId: string;
  linkId: string | null;
  resourceUri: string | null;
  appName: string | null;
  actionName: string | null;
};
export type McpToolCallError = {
  message: string;
};
export type McpToolCallProgressNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  message: string;
};
export type McpToolCallResult = {
  content: Array<JsonValue>;
  structuredContent: JsonValue | null;
  _meta: JsonValue | null;
};
export type McpToolCallStatus = 'inProgress' | 'completed' | 'failed';
export type MemoryCitation = {
  entries: Array<MemoryCitationEntry>;
  threadIds: Array<string>;
};
export type MemoryCitationEntry = {
  path: string;
  lineStart: number;
  lineEnd: number;
  note: string;
};
export type MessagePhase = 'commentary' | 'partial_answer' | 'final_answer';
export type MisalignmentErrorDetails = {
  errorType: string | null;
  detailedExplanation: string | null;
  steer: MisalignmentSteer | null;
  reviewTarget?: string | null;
};
export type MisalignmentSteer = {
  message: string;
};
export type ModeKind = 'plan' | 'default';
export type Model = {
  id: string;
  model: string;
  upgrade: string | null;
  upgradeInfo: ModelUpgradeInfo | null;
  availabilityNux: ModelAvailabilityNux | null;
  displayName: string;
  description: string;
  modelSpecialty: string | null;
  hidden: boolean;
  supportedReasoningEfforts: Array<ReasoningEffortOption>;
  defaultReasoningEffort: ReasoningEffort;
  inputModalities: Array<InputModality>;
  supportsPersonality: boolean;
  multiAgentVersion: MultiAgentVersion | null;
  additionalSpeedTiers: Array<string>;
  serviceTiers: Array<ModelServiceTier>;
  defaultServiceTier: string | null;
  availableAccessPrograms: ModelAccessPrograms | null;
  isDefault: boolean;
};
export type ModelAccessPrograms = {
  cyber: Array<CyberAccessProgram>;
};
export type ModelAvailabilityNux = {
  message: string;
};
export type ModelListParams = {
  modelProvider?: string | null;
  cursor?: string | null;
  limit?: number | null;
  includeHidden?: boolean | null;
};
export type ModelListResponse = {
  data: Array<Model>;
  nextCursor: string | null;
};
export type ModelRerouteReason = 'highRiskCyberActivity';
export type ModelReroutedNotification = {
  threadId: string;
  turnId: string;
  fromModel: string;
  toModel: string;
  reason: ModelRerouteReason;
};
export type ModelServiceTier = {
  id: string;
  name: string;
  description: string;
};
export type ModelUpgradeInfo = {
  model: string;
  upgradeCopy: string | null;
  modelLink: string | null;
  migrationMarkdown: string | null;
  retirementAt: number | null;
};
export type MultiAgentMode =
  | {
      custom: string;
    }
  | 'explicitRequestOnly'
  | 'proactive';
export type MultiAgentVersion = 'disabled' | 'v1' | 'v2';
export type NetworkAccess = 'restricted' | 'enabled';
export type NetworkApprovalContext = {
  host: string;
  protocol: NetworkApprovalProtocol;
};
export type NetworkApprovalProtocol = 'http' | 'https' | 'socks5Tcp' | 'socks5Udp';
export type NetworkPolicyAmendment = {
  host: string;
  action: NetworkPolicyRuleAction;
};
export type NetworkPolicyRuleAction = 'allow' | 'deny';
export type NonSteerableTurnKind = 'review' | 'compact';
export type ParsedCommand =
  | {
      type: 'read';
      cmd: string;
      name: string;
      path: string;
    }
  | {
      type: 'list_files';
      cmd: string;
      path: string | null;
    }
  | {
      type: 'search';
      cmd: string;
      query: string | null;
      path: string | null;
    }
  | {
      type: 'unknown';
      cmd: string;
    };
export type PatchApplyStatus = 'inProgress' | 'completed' | 'failed' | 'declined';
export type PatchChangeKind =
  | {
      type: 'add';
    }
  | {
      type: 'delete';
    }
  | {
      type: 'update';
      move_path: string | null;
    };
export type PermissionGrantScope = 'turn' | 'session';
export type PermissionsRequestApprovalParams = {
  threadId: string;
  turnId: string;
  itemId: string;
  environmentId: string | null;
  startedAtMs: number;
  cwd: LegacyAppPathString;
  reason: string | null;
  permissions: RequestPermissionProfile;
};
export type PermissionsRequestApprovalResponse = {
  permissions: GrantedPermissionProfile;
  scope: PermissionGrantScope;
  strictAutoReview?: boolean;
};
export type Personality = 'none' | 'friendly' | 'pragmatic';
export type PlanDeltaNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
};
export type PlanType =
  | 'free'
  | 'go'
  | 'plus'
  | 'pro'
  | 'prolite'
  | 'promax'
  | 'team'
  | 'self_serve_business_prolite'
  | 'self_serve_business_usage_based'
  | 'business'
  | 'ent26'
  | 'enterprise_cbp_automation'
  | 'enterprise_cbp_usage_based'
  | 'enterprise'
  | 'edu'
  | 'edu_plus'
  | 'edu_pro'
  | 'sci'
  | 'sci_plus'
  | 'unknown';
export type RateLimitReachedType =
  | 'rate_limit_reached'
  | 'workspace_owner_credits_depleted'
  | 'workspace_member_credits_depleted'
  | 'workspace_owner_usage_limit_reached'
  | 'workspace_member_usage_limit_reached';
export type RateLimitResetCredit = {
  id: string;
  resetType: RateLimitResetType;
  status: RateLimitResetCreditStatus;
  grantedAt: number;
  expiresAt: number | null;
  title: string | null;
  description: string | null;
};
export type RateLimitResetCreditStatus = 'available' | 'redeeming' | 'redeemed' | 'unknown';
export type RateLimitResetCreditsSummary = {
  availableCount: number;
  credits: Array<RateLimitResetCredit> | null;
};
export type RateLimitResetType = 'codexRateLimits' | 'unknown';
export type RateLimitSnapshot = {
  limitId: string | null;
  limitName: string | null;
  normalModelSlug: string | null;
  primary: RateLimitWindow | null;
  secondary: RateLimitWindow | null;
  credits: CreditsSnapshot | null;
  individualLimit: SpendControlLimitSnapshot | null;
  spendControlReached: boolean | null;
  planType: PlanType | null;
  rateLimitReachedType: RateLimitReachedType | null;
};
export type RateLimitWindow = {
  usedPercent: number;
  windowDurationMins: number | null;
  resetsAt: number | null;
};
export type ReasoningEffort = string;
export type ReasoningEffortOption = {
  reasoningEffort: ReasoningEffort;
  description: string;
};
export type ReasoningItemContent =
  | {
      type: 'reasoning_text';
      text: string;
    }
  | {
      type: 'text';
      text: string;
    };
export type ReasoningItemReasoningSummary = {
  type: 'summary_text';
  text: string;
};
export type ReasoningSummary = 'auto' | 'concise' | 'detailed' | 'none';
export type ReasoningSummaryTextDeltaNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
  summaryIndex: number;
};
export type ReasoningTextDeltaNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  delta: string;
  contentIndex: number;
};
export type RequestId = string | number;
export type RequestPermissionProfile = {
  network: AdditionalNetworkPermissions | null;
  fileSystem: AdditionalFileSystemPermissions | null;
};
export type Resource = {
  annotations?: JsonValue;
  description?: string;
  mimeType?: string;
  name: string;
  size?: number;
  title?: string;
  uri: string;
  icons?: Array<JsonValue>;
  _meta?: JsonValue;
};
export type ResourceTemplate = {
  annotations?: JsonValue;
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
};
export type ResponseItem =
  | {
      type: 'additional_tools';
      id?: ResponseItemId;
      role: string;
      tools: unknown[];
    }
  | {
      type: 'message';
      encrypted_content?: string;
      status?: string;
      id?: ResponseItemId;
      role: string;
      content: Array<ContentItem>;
      phase?: MessagePhase;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'agent_message';
      id?: ResponseItemId;
      author: string;
      recipient: string;
      content: Array<AgentMessageInputContent>;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'reasoning';
      id?: ResponseItemId;
      summary: Array<ReasoningItemReasoningSummary>;
      content?: Array<ReasoningItemContent>;
      encrypted_content: string | null;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'local_shell_call';
      encrypted_content?: string;
      id?: ResponseItemId;
      call_id: string | null;
      status: LocalShellStatus;
      action: LocalShellAction;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'function_call';
      encrypted_content?: string;
      status?: string;
      id?: ResponseItemId;
      name: string;
      namespace?: string;
      arguments: string;
      encrypted_function_args?: Array<string>;
      call_id: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'tool_search_call';
      encrypted_content?: string;
      id?: ResponseItemId;
      call_id: string | null;
      status?: string;
      execution: string;
      arguments: unknown;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'function_call_output';
      id?: ResponseItemId;
      call_id?: string;
      name?: string;
      namespace?: string;
      output: FunctionCallOutputBody;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'custom_tool_call';
      encrypted_content?: string;
      id?: ResponseItemId;
      status?: string;
      call_id: string;
      name: string;
      namespace?: string;
      input: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'custom_tool_call_output';
      id?: ResponseItemId;
      call_id: string;
      name?: string;
      output: FunctionCallOutputBody;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'tool_search_output';
      id?: ResponseItemId;
      call_id: string | null;
      status: string;
      execution: string;
      tools: unknown[];
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'web_search_call';
      encrypted_content?: string;
      id?: ResponseItemId;
      status?: string;
      action?: CoreWebSearchAction;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'image_generation_call';
      encrypted_content?: string;
      id?: ResponseItemId;
      status: string;
      revised_prompt?: string;
      result: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'compaction';
      id?: ResponseItemId;
      encrypted_content: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'configuration_update';
      reasoning: ConfigurationReasoning;
    }
  | {
      type: 'compaction_trigger';
    }
  | {
      type: 'context_compaction';
      id?: ResponseItemId;
      encrypted_content?: string;
      internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough;
    }
  | {
      type: 'other';
    };
export type ResponseItemId = string;
export type ReviewDecision =
  | 'approved'
  | {
      approved_execpolicy_amendment: {
        proposed_execpolicy_amendment: CoreExecPolicyAmendment;
      };
    }
  | 'approved_for_session'
  | 'approved_mcp_policy_amendment'
  | {
      network_policy_amendment: {
        network_policy_amendment: CoreNetworkPolicyAmendment;
      };
    }
  | {
      denied: {
        rejection: string;
      };
    }
  | 'timed_out'
  | 'abort';
export type ReviewDelivery = 'inline';
export type ReviewStartParams = {
  threadId: string;
  target: ReviewTarget;
  delivery?: ReviewDelivery | null;
};
export type ReviewStartResponse = {
  turn: Turn;
  reviewThreadId: string;
};
export type ReviewTarget =
  | {
      type: 'uncommittedChanges';
    }
  | {
      type: 'baseBranch';
      branch: string;
    }
  | {
      type: 'commit';
      sha: string;
      title: string | null;
    }
  | {
      type: 'custom';
      instructions: string;
    };
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';
export type SandboxPolicy =
  | {
      type: 'dangerFullAccess';
    }
  | {
      type: 'readOnly';
      networkAccess: boolean;
    }
  | {
      type: 'externalSandbox';
      networkAccess: NetworkAccess;
    }
  | {
      type: 'workspaceWrite';
      writableRoots: Array<AbsolutePathBuf>;
      networkAccess: boolean;
      excludeTmpdirEnvVar: boolean;
      excludeSlashTmp: boolean;
    };
export type SandboxWorkspaceWrite = {
  writable_roots: Array<string>;
  network_access: boolean;
  exclude_tmpdir_env_var: boolean;
  exclude_slash_tmp: boolean;
};
export type SelectedCapabilityRoot = {
  id: string;
  location: CapabilityRootLocation;
};
export type ServerDiagnosticsGauge = {
  name: string;
  value: number;
};
export type ServerDiagnosticsParams = Record<string, never>;
export type ServerDiagnosticsProcess = {
  id: number;
  residentMemoryBytes: number | null;
  physicalFootprintBytes: number | null;
};
export type ServerDiagnosticsResponse = {
  process: ServerDiagnosticsProcess;
  gauges: Array<ServerDiagnosticsGauge>;
};
export type ServerRequestResolvedNotification = {
  threadId: string;
  requestId: RequestId;
};
export type SessionSource =
  | 'cli'
  | 'vscode'
  | 'exec'
  | 'appServer'
  | {
      custom: string;
    }
  | {
      subAgent: SubAgentSource;
    }
  | 'unknown';
export type Settings = {
  model: string;
  reasoning_effort: ReasoningEffort | null;
  developer_instructions: string | null;
};
export type SkillDependencies = {
  tools: Array<SkillToolDependency>;
};
export type SkillErrorInfo = {
  path: string;
  message: string;
};
export type SkillInterface = {
  displayName?: string;
  shortDescription?: string;
  iconSmall?: AbsolutePathBuf;
  iconLarge?: AbsolutePathBuf;
  iconSmallUrl: string | null;
  iconLargeUrl: string | null;
  brandColor?: string;
  defaultPrompt?: string;
};
export type SkillMetadata = {
  name: string;
  description: string;
  shortDescription?: string;
  interface?: SkillInterface;
  dependencies?: SkillDependencies;
  path: LegacyAppPathString;
  scope: SkillScope;
  enabled: boolean;
  pluginId: string | null;
};
export type SkillScope = 'user' | 'repo' | 'system' | 'admin';
export type SkillToolDependency = {
  type: string;
  value: string;
  description?: string;
  transport?: string;
  command?: string;
  url?: string;
};
export type SkillsListEntry = {
  cwd: string;
  skills: Array<SkillMetadata>;
  errors: Array<SkillErrorInfo>;
};
export type SkillsListParams = {
  cwds?: Array<string>;
  forceReload?: boolean;
};
export type SkillsListResponse = {
  data: Array<SkillsListEntry>;
};
export type SleepItem = {
  id: string;
  durationMs: number;
};
export type SortDirection = 'asc' | 'desc';
export type SpendControlLimitSnapshot = {
  limit: string;
  used: string;
  remainingPercent: number;
  resetsAt: number;
};
export type SubAgentActivityKind = 'started' | 'interacted' | 'interrupted' | 'completed';
export type SubAgentSource =
  | 'review'
  | 'compact'
  | {
      thread_spawn: {
        parent_thread_id: ThreadId;
        depth: number;
        agent_path: AgentPath | null;
        agent_nickname: string | null;
        agent_role: string | null;
      };
    }
  | 'memory_consolidation'
  | {
      other: string;
    };
export type TerminalInteractionNotification = {
  threadId: string;
  turnId: string;
  itemId: string;
  processId: string;
  stdin: string;
};
export type TextElement = {
  byteRange: ByteRange;
  placeholder: string | null;
};
export type TextPosition = {
  line: number;
  column: number;
};
export type TextRange = {
  start: TextPosition;
  end: TextPosition;
};
export type Thread = {
  id: string;
  environments: Array<ThreadEnvironment> | null;
  extra: ThreadExtra | null;
  sessionId: string;
  forkedFromId: string | null;
  attachedToThreadId: string | null;
  parentThreadId: string | null;
  preview: string;
  ephemeral: boolean;
  section: ThreadSection | null;
  sectionEnteredAt: number | null;
  projectId: string | null;
  historyMode: ThreadHistoryMode;
  modelProvider: string;
  model: string | null;
  reasoningEffort: ReasoningEffort | null;
  createdAt: number;
  updatedAt: number;
  recencyAt: number | null;
  status: ThreadStatus;
  path: string | null;
  cwd: AbsolutePathBuf;
  cliVersion: string;
  originator: string | null;
  source: SessionSource;
  canAcceptDirectInput: boolean | null;
  threadSource: ThreadSource | null;
  agentNickname: string | null;
  agentRole: string | null;
  gitInfo: GitInfo | null;
  name: string | null;
  daybreakEnabled: boolean | null;
  turns: Array<Turn>;
};
export type ThreadActiveFlag = 'waitingOnApproval' | 'waitingOnUserInput';
export type ThreadArchiveParams = {
  threadId: string;
};
export type ThreadArchiveResponse = Record<string, never>;
export type ThreadArchivedNotification = {
  threadId: string;
};
export type ThreadBackgroundTerminal = {
  itemId: string;
  processId: string;
  command: string;
  cwd: LegacyAppPathString;
  osPid: number | null;
  cpuPercent: number | null;
  rssKb: number | null;
};
export type ThreadBackgroundTerminalsCleanParams = {
  threadId: string;
};
export type ThreadBackgroundTerminalsCleanResponse = Record<string, never>;
export type ThreadBackgroundTerminalsListParams = {
  threadId: string;
  cursor?: string | null;
  limit?: number | null;
};
export type ThreadBackgroundTerminalsListResponse = {
  data: Array<ThreadBackgroundTerminal>;
  nextCursor: string | null;
};
export type ThreadBackgroundTerminalsTerminateParams = {
  threadId: string;
  processId: string;
};
export type ThreadBackgroundTerminalsTerminateResponse = {
  terminated: boolean;
};
export type ThreadClosedNotification = {
  threadId: string;
};
export type ThreadCompactStartParams = {
  threadId: string;
};
export type ThreadCompactStartResponse = Record<string, never>;
export type ThreadDeleteParams = {
  threadId: string;
};
export type ThreadDeleteResponse = Record<string, never>;
export type ThreadDeletedNotification = {
  threadId: string;
};
export type ThreadEnvironment = {
  environmentId: string;
  cwd: LegacyAppPathString;
  runtimeWorkspaceRoots: Array<LegacyAppPathString>;
};
export type ThreadExtra = Record<string, never>;
export type ThreadForkParams = {
  threadId: string;
  experimentalPredictionMode?: boolean;
  experimentalDisablePredictionMcp?: boolean;
  lastTurnId?: string | null;
  beforeTurnId?: string | null;
  path?: string | null;
  model?: string | null;
  modelProvider?: string | null;
  serviceTier?: string | null | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandbox?: SandboxMode | null;
  permissions?: string | null;
  config?:
    | {
        [key in string]?: JsonValue;
      }
    | null;
  baseInstructions?: string | null;
  developerInstructions?: string | null;
  ephemeral?: boolean;
  attachToSource?: boolean;
  threadSource?: ThreadSource | null;
  excludeTurns?: boolean;
  deferGoalContinuation?: boolean;
};
export type ThreadForkResponse = {
  thread: Thread;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  runtimeWorkspaceRoots: Array<AbsolutePathBuf>;
  instructionSources: Array<LegacyAppPathString>;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandbox: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  reasoningEffort: ReasoningEffort | null;
  multiAgentMode: MultiAgentMode;
};
export type ThreadHistoryMode = 'legacy' | 'paginated';
export type ThreadId = string;
export type ThreadInjectItemsParams = {
  threadId: string;
  items: Array<JsonValue>;
};
export type ThreadInjectItemsResponse = Record<string, never>;
export type ThreadItem = {
  startedAtMs?: number | null;
  completedAtMs?: number | null;
} & (
  | {
      type: 'userMessage';
      id: string;
      clientId: string | null;
      content: Array<UserInput>;
    }
  | {
      type: 'hookPrompt';
      id: string;
      fragments: Array<HookPromptFragment>;
    }
  | {
      type: 'agentMessage';
      moderation: AgentMessageModeration | null;
      id: string;
      text: string;
      phase: MessagePhase | null;
      memoryCitation: MemoryCitation | null;
      delivery: AgentMessageDelivery | null;
      questions: Array<AsyncUserInputQuestion> | null;
    }
  | {
      type: 'functionCallOutput';
      id: string;
      name: string;
      namespace: string | null;
      output: FunctionCallOutputBody;
    }
  | {
      type: 'plan';
      id: string;
      text: string;
    }
  | {
      type: 'reasoning';
      id: string;
      summary: Array<string>;
      content: Array<string>;
    }
  | {
      type: 'commandExecution';
      id: string;
      pluginId: string | null;
      scriptPath: string | null;
      command: string;
      cwd: LegacyAppPathString;
      processId: string | null;
      source: CommandExecutionSource;
      status: CommandExecutionStatus;
      commandActions: Array<CommandAction>;
      aggregatedOutput: string | null;
      exitCode: number | null;
      durationMs: number | null;
    }
  | {
      type: 'fileChange';
      id: string;
      changes: Array<FileUpdateChange>;
      status: PatchApplyStatus;
    }
  | {
      type: 'mcpToolCall';
      id: string;
      server: string;
      tool: string;
      status: McpToolCallStatus;
      arguments: JsonValue;
      appContext: McpToolCallAppContext | null;
      mcpAppResourceUri?: string;
      mcpAppUi: McpAppUi | null;
      pluginId: string | null;
      readOnlyHint: boolean | null;
      result: McpToolCallResult | null;
      error: McpToolCallError | null;
      durationMs: number | null;
    }
  | {
      type: 'dynamicToolCall';
      id: string;
      namespace: string | null;
      tool: string;
      arguments: JsonValue;
      status: DynamicToolCallStatus;
      contentItems: Array<DynamicToolCallOutputContentItem> | null;
      success: boolean | null;
      durationMs: number | null;
    }
  | {
      type: 'collabAgentToolCall';
      id: string;
      tool: CollabAgentTool;
      status: CollabAgentToolCallStatus;
      senderThreadId: string;
      receiverThreadIds: Array<string>;
      prompt: string | null;
      model: string | null;
      reasoningEffort: ReasoningEffort | null;
      agentsStates: {
        [key in string]?: CollabAgentState;
      };
    }
  | {
      type: 'subAgentActivity';
      model: string | null;
      reasoningEffort: ReasoningEffort | null;
      id: string;
      kind: SubAgentActivityKind;
      agentThreadId: string;
      agentPath: string;
    }
  | ({
      type: 'webSearch';
    } & WebSearchItem)
  | {
      type: 'imageView';
      id: string;
      path: LegacyAppPathString;
    }
  | ({
      type: 'sleep';
    } & SleepItem)
  | ({
      type: 'imageGeneration';
    } & ImageGenerationItem)
  | {
      type: 'enteredReviewMode';
      id: string;
      review: string;
    }
  | {
      type: 'exitedReviewMode';
      id: string;
      review: string;
    }
  | {
      type: 'contextCompaction';
      id: string;
    }
);
export type ThreadItemEntry = {
  turnId: string;
  item: ThreadItem;
  outputDeferred?: boolean;
  startedAtMs: number | null;
  completedAtMs: number | null;
};
export type ThreadItemOutputDeferral = {
  commandExecution?: boolean;
  mcpToolCall?: boolean;
};
export type ThreadItemsListAnchor = {
  type: 'item';
  itemId: string;
};
export type ThreadItemsListCursor = string | ThreadItemsListAnchor;
export type ThreadItemsListParams = {
  threadId: string;
  turnId?: string | null;
  cursor?: ThreadItemsListCursor | null;
  limit?: number | null;
  sortDirection?: SortDirection | null;
  deferOutput?: ThreadItemOutputDeferral | null;
};
export type ThreadItemsListResponse = {
  data: Array<ThreadItemEntry>;
  nextCursor: string | null;
  backwardsCursor: string | null;
};
export type ThreadListParams = {
  includeAttachedThreads?: boolean;
  currentAccountOnly?: boolean;
  cursor?: string | null;
  limit?: number | null;
  excludedThreadIds?: Array<string> | null;
  sortKey?: ThreadSortKey | null;
  sortDirection?: SortDirection | null;
  modelProviders?: Array<string> | null;
  sourceKinds?: Array<ThreadSourceKind> | null;
  originators?: Array<string> | null;
  archived?: boolean | null;
  sectionId?: string | null;
  projectId?: string | null;
  cwd?: string | Array<string> | null;
  useStateDbOnly?: boolean;
  searchTerm?: string | null;
  parentThreadId?: string | null;
  ancestorThreadId?: string | null;
  attachedToThreadId?: string | null;
};
export type ThreadListResponse = {
  data: Array<Thread>;
  readStates:
    | {
        [key in string]?: ThreadReadState;
      }
    | null;
  nextCursor: string | null;
  backwardsCursor: string | null;
};
export type ThreadLoadedListParams = {
  cursor?: string | null;
  limit?: number | null;
};
export type ThreadLoadedListResponse = {
  data: Array<string>;
  nextCursor: string | null;
};
export type ThreadReadParams = {
  threadId: string;
  includeTurns?: boolean;
};
export type ThreadReadResponse = {
  thread: Thread;
  readState: ThreadReadState | null;
};
export type ThreadReadState = {
  firstUnread: ThreadUnreadPosition | null;
  revision: string;
};
export type ThreadResumeInitialTurnsPageParams = {
  limit?: number | null;
  sortDirection?: SortDirection | null;
  itemsView?: TurnItemsView | null;
};
export type ThreadResumeParams = {
  threadId: string;
  history?: Array<ResponseItem> | null;
  path?: string | null;
  model?: string | null;
  modelProvider?: string | null;
  serviceTier?: string | null | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandbox?: SandboxMode | null;
  permissions?: string | null;
  config?:
    | {
        [key in string]?: JsonValue;
      }
    | null;
  baseInstructions?: string | null;
  developerInstructions?: string | null;
  personality?: Personality | null;
  excludeTurns?: boolean;
  initialTurnsPage?: ThreadResumeInitialTurnsPageParams | null;
};
export type ThreadResumeResponse = {
  thread: Thread;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  runtimeWorkspaceRoots: Array<AbsolutePathBuf>;
  instructionSources: Array<LegacyAppPathString>;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandbox: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  reasoningEffort: ReasoningEffort | null;
  collaborationMode: CollaborationMode | null;
  multiAgentMode: MultiAgentMode;
  initialTurnsPage: TurnsPage | null;
  turnsBackwardsCursor: string | null;
  itemsBackwardsCursor: string | null;
};
export type ThreadRevertParams = {
  threadId: string;
  beforeTurnId: string;
};
export type ThreadRevertResponse = {
  thread: Thread;
  turnsBackwardsCursor: string | null;
  itemsBackwardsCursor: string | null;
};
export type ThreadSearchParams = {
  includeAttachedThreads?: boolean;
  currentAccountOnly?: boolean;
  cursor?: string | null;
  limit?: number | null;
  sortKey?: ThreadSearchSortKey | null;
  sortDirection?: SortDirection | null;
  sourceKinds?: Array<ThreadSourceKind> | null;
  archived?: boolean | null;
  searchTerm: string;
};
export type ThreadSearchResponse = {
  data: Array<ThreadSearchResult>;
  nextCursor: string | null;
  backwardsCursor: string | null;
};
export type ThreadSearchResult = {
  thread: Thread;
  snippet: string;
};
export type ThreadSearchSortKey = 'created_at' | 'updated_at' | 'recency_at';
export type ThreadSection = {
  id: string;
  name: string;
  appearance: ThreadSectionAppearance | null;
};
export type ThreadSectionAppearance = {
  icon: string | null;
  color: string | null;
};
export type ThreadSetNameParams = {
  threadId: string;
  name: string;
};
export type ThreadSetNameResponse = Record<string, never>;
export type ThreadSettings = {
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  environments: Array<ThreadEnvironment> | null;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandboxPolicy: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  effort: ReasoningEffort | null;
  summary: ReasoningSummary | null;
  collaborationMode: CollaborationMode;
  multiAgentMode: MultiAgentMode;
  personality: Personality | null;
};
export type ThreadSettingsUpdateParams = {
  threadId: string;
  disabledPluginIds?: Array<string> | null;
  cwd?: string | null;
  environments?: Array<TurnEnvironmentParams> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandboxPolicy?: SandboxPolicy | null;
  permissions?: string | null;
  model?: string | null;
  serviceTier?: string | null | null;
  effort?: ReasoningEffort | null;
  summary?: ReasoningSummary | null;
  collaborationMode?: CollaborationMode | null;
  multiAgentMode?: MultiAgentMode | null;
  personality?: Personality | null;
};
export type ThreadSettingsUpdateResponse = Record<string, never>;
export type ThreadSettingsUpdatedNotification = {
  threadId: string;
  threadSettings: ThreadSettings;
};
export type ThreadShellCommandParams = {
  threadId: string;
  command: string;
  timeoutMs?: number | null;
};
export type ThreadShellCommandResponse = Record<string, never>;
export type ThreadSortKey = 'created_at' | 'updated_at' | 'recency_at' | 'section_position';
export type ThreadSource = string;
export type ThreadSourceKind =
  | 'cli'
  | 'vscode'
  | 'exec'
  | 'appServer'
  | 'subAgent'
  | 'subAgentReview'
  | 'subAgentCompact'
  | 'subAgentThreadSpawn'
  | 'subAgentOther'
  | 'unknown';
export type ThreadStartParams = {
  model?: string | null;
  modelProvider?: string | null;
  allowProviderModelFallback?: boolean;
  serviceTier?: string | null | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandbox?: SandboxMode | null;
  permissions?: string | null;
  config?:
    | {
        [key in string]?: JsonValue;
      }
    | null;
  serviceName?: string | null;
  baseInstructions?: string | null;
  developerInstructions?: string | null;
  personality?: Personality | null;
  multiAgentMode?: MultiAgentMode | null;
  ephemeral?: boolean | null;
  historyMode?: ThreadHistoryMode | null;
  sessionStartSource?: ThreadStartSource | null;
  threadSource?: ThreadSource | null;
  projectId?: string | null;
  daybreakEnabled?: boolean | null;
  environments?: Array<TurnEnvironmentParams> | null;
  dynamicTools?: Array<DynamicToolSpec> | null;
  selectedCapabilityRoots?: Array<SelectedCapabilityRoot> | null;
  mockExperimentalField?: string | null;
  experimentalRawEvents?: boolean;
};
export type ThreadStartResponse = {
  thread: Thread;
  model: string;
  modelProvider: string;
  serviceTier: string | null;
  disabledPluginIds: Array<string>;
  cwd: AbsolutePathBuf;
  runtimeWorkspaceRoots: Array<AbsolutePathBuf>;
  instructionSources: Array<LegacyAppPathString>;
  approvalPolicy: AskForApproval;
  approvalsReviewer: ApprovalsReviewer;
  sandbox: SandboxPolicy;
  activePermissionProfile: ActivePermissionProfile | null;
  reasoningEffort: ReasoningEffort | null;
  multiAgentMode: MultiAgentMode;
};
export type ThreadStartSource = 'startup' | 'clear';
export type ThreadStartedNotification = {
  thread: Thread;
};
export type ThreadStatus =
  | {
      type: 'notLoaded';
    }
  | {
      type: 'idle';
    }
  | {
      type: 'systemError';
    }
  | {
      type: 'active';
      activeFlags: Array<ThreadActiveFlag>;
    };
export type ThreadStatusChangedNotification = {
  threadId: string;
  status: ThreadStatus;
};
export type ThreadTokenUsage = {
  total: TokenUsageBreakdown;
  last: TokenUsageBreakdown;
  modelContextWindow: number | null;
};
export type ThreadTokenUsageUpdatedNotification = {
  threadId: string;
  turnId: string;
  tokenUsage: ThreadTokenUsage;
};
export type ThreadTurnsListParams = {
  threadId: string;
  cursor?: string | null;
  limit?: number | null;
  sortDirection?: SortDirection | null;
  itemsView?: TurnItemsView | null;
};
export type ThreadTurnsListResponse = {
  data: Array<Turn>;
  nextCursor: string | null;
  backwardsCursor: string | null;
};
export type ThreadUnarchiveParams = {
  threadId: string;
};
export type ThreadUnarchiveResponse = {
  thread: Thread;
};
export type ThreadUnarchivedNotification = {
  threadId: string;
};
export type ThreadUnreadPosition =
  | {
      type: 'threadStart';
    }
  | {
      type: 'turn';
      turnId: string;
    };
export type ThreadUnsubscribeParams = {
  threadId: string;
};
export type ThreadUnsubscribeResponse = {
  status: ThreadUnsubscribeStatus;
};
export type ThreadUnsubscribeStatus = 'notLoaded' | 'notSubscribed' | 'unsubscribed';
export type TokenUsageBreakdown = {
  totalTokens: number;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteInputTokens: number;
  outputTokens: number;
  reasoningOutputTokens: number;
};
export type Tool = {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonValue;
  outputSchema?: JsonValue;
  annotations?: JsonValue;
  icons?: Array<JsonValue>;
  _meta?: JsonValue;
};
export type ToolExposureSurface = 'code_mode' | 'deferred' | 'direct';
export type ToolRequestUserInputAnswer = {
  answers: Array<string>;
};
export type ToolRequestUserInputOption = {
  label: string;
  description: string;
};
export type ToolRequestUserInputParams = {
  threadId: string;
  turnId: string;
  itemId: string;
  questions: Array<ToolRequestUserInputQuestion>;
  isBlocking: boolean;
  autoResolutionMs: number | null;
};
export type ToolRequestUserInputQuestion = {
  id: string;
  header: string;
  question: string;
  isOther: boolean;
  isSecret: boolean;
  options: Array<ToolRequestUserInputOption> | null;
};
export type ToolRequestUserInputResponse = {
  answers: {
    [key in string]?: ToolRequestUserInputAnswer;
  };
};
export type ToolsV2 = {
  web_search: WebSearchToolConfig | null;
};
export type Turn = {
  id: string;
  rootTurnId: string | null;
  items: Array<ThreadItem>;
  itemsView: TurnItemsView;
  status: TurnStatus;
  error: TurnError | null;
  startedAt: number | null;
  completedAt: number | null;
  durationMs: number | null;
};
export type TurnCompletedNotification = {
  threadId: string;
  turn: Turn;
};
export type TurnDiffUpdatedNotification = {
  threadId: string;
  turnId: string;
  diff: string;
};
export type TurnEnvironmentParams = {
  environmentId: string;
  cwd: LegacyAppPathString;
  runtimeWorkspaceRoots?: Array<LegacyAppPathString> | null;
};
export type TurnError = {
  message: string;
  codexErrorInfo: CodexErrorInfo | null;
  additionalDetails: string | null;
  misalignment: MisalignmentErrorDetails | null;
};
export type TurnInterruptParams = {
  threadId: string;
  turnId: string;
};
export type TurnInterruptResponse = Record<string, never>;
export type TurnItemsView = 'notLoaded' | 'summary' | 'full';
export type TurnPlanStep = {
  step: string;
  status: TurnPlanStepStatus;
};
export type TurnPlanStepStatus = 'pending' | 'inProgress' | 'completed';
export type TurnPlanUpdatedNotification = {
  threadId: string;
  turnId: string;
  explanation: string | null;
  plan: Array<TurnPlanStep>;
};
export type TurnStartParams = {
  threadId: string;
  disabledPluginIds?: Array<string> | null;
  clientUserMessageId?: string | null;
  input: Array<UserInput>;
  turnTrigger?: string | null;
  parentTurnId?: string | null;
  rootTurnId?: string | null;
  toolOutput?: TurnToolOutput | null;
  responsesapiClientMetadata?:
    | {
        [key in string]?: string;
      }
    | null;
  responsesapiClientMetadataPatch?:
    | {
        [key in string]?: string;
      }
    | null;
  additionalContext?:
    | {
        [key in string]?: AdditionalContextEntry;
      }
    | null;
  environments?: Array<TurnEnvironmentParams> | null;
  cwd?: string | null;
  runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null;
  approvalPolicy?: AskForApproval | null;
  approvalsReviewer?: ApprovalsReviewer | null;
  sandboxPolicy?: SandboxPolicy | null;
  permissions?: string | null;
  model?: string | null;
  serviceTier?: string | null | null;
  serviceTierForTurn?: string | null;
  effort?: ReasoningEffort | null;
  summary?: ReasoningSummary | null;
  personality?: Personality | null;
  outputSchema?: JsonValue | null;
  collaborationMode?: CollaborationMode | null;
  multiAgentMode?: MultiAgentMode | null;
  cyberAccessProgram?: CyberAccessProgram | null;
};
export type TurnStartResponse = {
  turn: Turn;
};
export type TurnStartedNotification = {
  threadId: string;
  turn: Turn;
};
export type TurnStatus = 'completed' | 'interrupted' | 'failed' | 'inProgress';
export type TurnSteerParams = {
  threadId: string;
  clientUserMessageId?: string | null;
  input: Array<UserInput>;
  responsesapiClientMetadata?:
    | {
        [key in string]?: string;
      }
    | null;
  responsesapiClientMetadataPatch?:
    | {
        [key in string]?: string;
      }
    | null;
  additionalContext?:
    | {
        [key in string]?: AdditionalContextEntry;
      }
    | null;
  expectedTurnId: string;
};
export type TurnSteerResponse = {
  turnId: string;
};
export type TurnToolOutput = {
  name: string;
  namespace: string | null;
  output: FunctionCallOutputBody;
  retain?: boolean;
};
export type TurnsPage = {
  data: Array<Turn>;
  nextCursor: string | null;
  backwardsCursor: string | null;
};
export type UserInput =
  | {
      type: 'text';
      text: string;
      text_elements: Array<TextElement>;
    }
  | ({
      type: 'image';
      detail?: ImageDetail;
    } & (
      | {
          url: string;
        }
      | {
          fileId: string;
        }
    ))
  | {
      type: 'localImage';
      detail?: ImageDetail;
      path: string;
    }
  | ({
      type: 'audio';
    } & (
      | {
          url: string;
        }
      | {
          fileId: string;
        }
    ))
  | {
      type: 'localAudio';
      path: string;
    }
  | {
      type: 'skill';
      name: string;
      path: string;
    }
  | {
      type: 'mention';
      name: string;
      path: string;
    };
export type Verbosity = 'low' | 'medium' | 'high';
export type WarningNotification = {
  threadId: string | null;
  message: string;
};
export type WebSearchAction =
  | {
      type: 'search';
      query: string | null;
      queries: Array<string> | null;
    }
  | {
      type: 'openPage';
      url: string | null;
    }
  | {
      type: 'findInPage';
      url: string | null;
      pattern: string | null;
    }
  | {
      type: 'other';
    };
export type WebSearchContextSize = 'low' | 'medium' | 'high';
export type WebSearchItem = {
  id: string;
  query: string;
  action: WebSearchAction | null;
  results: Array<JsonValue> | null;
};
export type WebSearchLocation = {
  country: string | null;
  region: string | null;
  city: string | null;
  timezone: string | null;
};
export type WebSearchMode = 'disabled' | 'cached' | 'indexed' | 'live';
export type WebSearchProvider = 'standalone' | 'search_mcp';
export type WebSearchToolConfig = {
  context_size: WebSearchContextSize | null;
  allowed_domains: Array<string> | null;
  location: WebSearchLocation | null;
};
export type WorkspaceRouting = {
  chatgptAccountId: string;
  backendOrigin: string;
  accountRoutingOverride: AccountRoutingOverride;
};
