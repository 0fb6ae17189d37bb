{{- /* base/storm.yaml with the user's keys, and with the names of as many Nimbuses as there are. */}}
{{- define "eyewall.storm" }}
{{- $changes := dict }}
{{- if .Values.nimbus.replicas }}
{{- $seeds := list }}
{{- range $number := until (int .Values.nimbus.replicas) }}{{ $seeds = append $seeds (printf "nimbus-%d.nimbus" $number) }}{{ end }}
{{- $changes = dict "nimbus.seeds" $seeds "topology.min.replication.count" (min 2 (len $seeds)) }}
{{- end }}
{{- range $key, $value := .Values.storm }}{{ $_ := set $changes $key $value }}{{ end }}
{{- $file := .Files.Get "base/storm.yaml" }}
{{- if $changes }}
{{- $keys := fromYaml $file }}
{{- /* Not merged: that leaves out values such as 0 and false. */}}
{{- range $key, $value := $changes }}{{ $_ := set $keys $key $value }}{{ end }}
{{- toYaml $keys }}
{{- else }}
{{- $file }}
{{- end }}
{{- end }}

{{- /* Changes a StatefulSet or Deployment in place; prints nothing. */}}
{{- define "eyewall.pods" }}
{{- $spec := .object.spec }}
{{- $pod := $spec.template.spec }}
{{- $container := first $pod.containers }}
{{- $image := .root.Values.image }}
{{- $_ := set $container "image" (printf "%s:%s" $image.repository (default .root.Chart.AppVersion $image.tag)) }}
{{- if $image.pullSecrets }}
{{- $secrets := list }}
{{- range $image.pullSecrets }}{{ $secrets = append $secrets (dict "name" .) }}{{ end }}
{{- $_ := set $pod "imagePullSecrets" $secrets }}
{{- end }}
{{- $metadata := $spec.template.metadata }}
{{- $_ := set $metadata "labels" (merge dict .labels $metadata.labels) }}
{{- /* Pods start anew when the configuration changes. */}}
{{- $_ := set $metadata "annotations" (dict "checksum/storm" (toJson .data | sha256sum)) }}
{{- if hasKey .given "replicas" }}{{ $_ := set $spec "replicas" .given.replicas }}{{ end }}
{{- $_ := mergeOverwrite $container.resources (default dict .given.resources) }}
{{- $_ := mergeOverwrite $pod (pick .given "nodeSelector" "tolerations") }}
{{- $env := list }}
{{- range default list $container.env }}{{ if not (hasKey (default dict $.given.env) .name) }}{{ $env = append $env . }}{{ end }}{{ end }}
{{- range $name, $value := .given.env }}{{ $env = append $env (dict "name" $name "value" $value) }}{{ end }}
{{- if $env }}{{ $_ := set $container "env" $env }}{{ end }}
{{- range $claim := $spec.volumeClaimTemplates }}
{{- $_ := set $claim.metadata "labels" $.labels }}
{{- if $.given.storage }}{{ $_ := set $claim.spec.resources.requests "storage" $.given.storage }}{{ end }}
{{- if $.given.storageClass }}{{ $_ := set $claim.spec "storageClassName" $.given.storageClass }}{{ end }}
{{- end }}
{{- if .given.drainSecs }}
{{- $drain := printf "storm drain \"$STORM_LOCAL_HOSTNAME\" --timeout %d" (int .given.drainSecs) }}
{{- $_ := set $container.lifecycle.preStop.exec "command" (list "sh" "-c" $drain) }}
{{- $_ := set $pod "terminationGracePeriodSeconds" (add 60 .given.drainSecs) }}
{{- end }}
{{- end }}
