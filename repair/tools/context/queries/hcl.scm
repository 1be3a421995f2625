(config_file (body (block) @block))
(variable_expr) @reference
